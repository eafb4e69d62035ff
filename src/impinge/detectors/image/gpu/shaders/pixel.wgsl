// Where a point, in steps of a pixel, is on the screen. All numbers are powers of two: divided as
// exponents, since a division of floats may be off.
fn on_screen(at: vec2f, steps: u32) -> vec4f {
  let exponent = 128u - firstTrailingBit(steps * frame.resolution);
  let unit = bitcast<f32>(exponent << 23u);
  return vec4f(at.x * unit - 1.0, 1.0 - at.y * unit, 0.5, 1.0);
}

// Where in the arrays of one value per pixel a fragment belongs.
fn pixel_of(position: vec4f) -> vec2i {
  return vec2i(position.xy);
}

fn index_of(pixel: vec2i) -> u32 {
  return u32(pixel.y) * frame.resolution + u32(pixel.x);
}

fn pixel_at(index: u32) -> vec2i {
  return vec2i(i32(index % frame.resolution), i32(index / frame.resolution));
}
