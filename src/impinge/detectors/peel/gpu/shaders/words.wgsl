// Boxes (x<, y<, x>, y>) in subpixels as they are stored: four whole numbers, or, in half the room,
// four half floats in pixels. Half floats have 11 bits; what they cannot hold is rounded outward.
override HALF: bool = false;

fn outward(box: vec4i) -> vec4i {
  if (!HALF) { return box; }
  // bits beyond the first eleven
  let drop = 21u - min(vec4u(21u), countLeadingZeros(vec4u(box)));
  let up = vec4i(vec4u(0u, 0u, (1u << drop.z) - 1u, (1u << drop.w) - 1u));
  return ((box + up) >> drop) << drop;
}

fn words_of_box() -> u32 {
  return select(4u, 2u, HALF);
}

fn stored(box: vec4i) -> vec4u {
  if (!HALF) { return vec4u(box); }
  let pixels = vec4f(box) * 0x1p-8f;
  return vec4u(pack2x16float(pixels.xy), pack2x16float(pixels.zw), 0u, 0u);
}

fn restored(words: vec4u) -> vec4i {
  if (!HALF) { return vec4i(words); }
  return vec4i(256.0 * vec4f(unpack2x16float(words.x), unpack2x16float(words.y)));
}
