// Number of an edge and number of a solid in one colour: as they are (0 bits), or in four bytes, of
// which the solid has the last one or two.
override SOLID_BITS: u32 = 0;

struct Painted {
  @builtin(frag_depth) depth: f32,
  @location(0) colour: vec4u,
}

// 23 bits are exact in a float.
fn painted(depth: i32, edge: u32, solid: u32) -> Painted {
  return Painted(f32(depth) * 0x1p-23f, colour_of(edge, solid));
}

fn colour_of(edge: u32, solid: u32) -> vec4u {
  if (SOLID_BITS == 0u) { return vec4u(edge, solid, 0u, 0u); }
  return (vec4u(word_of(edge, solid)) >> vec4u(24u, 16u, 8u, 0u)) & vec4u(0xffu);
}

// Edge and solid.
fn numbers_of(colour: vec4u) -> vec2u {
  if (SOLID_BITS == 0u) { return colour.xy; }
  let word = (colour.x << 24u) | (colour.y << 16u) | (colour.z << 8u) | colour.w;
  return vec2u(word >> SOLID_BITS, word & ((1u << SOLID_BITS) - 1u));
}

fn word_of(edge: u32, solid: u32) -> u32 {
  return (edge << SOLID_BITS) | solid;
}
