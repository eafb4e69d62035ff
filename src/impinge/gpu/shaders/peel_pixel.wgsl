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
