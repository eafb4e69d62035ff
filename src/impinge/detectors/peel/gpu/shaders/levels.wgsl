// The pyramid of boxes around rays that are on. Its lowest level is the mask itself.
struct Levels {
  resolution: u32,
  // the level that is made
  level: u32,
}

fn nothing_of(resolution: u32) -> vec4i {
  let whole = i32(256u * resolution);
  return vec4i(whole, whole, 0, 0);
}

fn pixel_box(x: u32, y: u32) -> vec4i {
  let low = 256 * vec2i(vec2u(x, y));
  return outward(vec4i(low, low + 256));
}

// Texels of the levels from 1 up to, without, `level`.
fn before_level(resolution: u32, level: u32) -> u32 {
  // the sum of r^2 / 4^k for k = 1 .. level - 1
  return (resolution * resolution - (resolution >> (level - 1u)) * (resolution >> (level - 1u))) / 3u;
}

fn texel_index(resolution: u32, level: u32, x: u32, y: u32) -> u32 {
  return before_level(resolution, level) + y * (resolution >> level) + x;
}

fn united(a: vec4i, b: vec4i) -> vec4i {
  return vec4i(min(a.xy, b.xy), max(a.zw, b.zw));
}
