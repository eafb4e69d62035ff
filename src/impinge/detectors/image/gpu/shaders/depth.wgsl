// Depths of a triangle over a pixel.
fn home_of(plane: Plane) -> vec2i {
  return vec2i(plane.w & 0xffff, plane.w >> 16u);
}

// At its middle, with 7 fractional bits; wraps for steep triangles only.
fn depth_of(plane: Plane, pixel: vec2i) -> i32 {
  let away = pixel - home_of(plane);
  return plane.x + plane.y * away.x + plane.z * away.y;
}

// At its middle, no more than the triangle reaches.
fn fragment_depth(plane: Plane, range: Range, pixel: vec2i) -> i32 {
  return clamp(depth_of(plane, pixel), lowest(range) << 7u, range.y << 7u) >> 7u;
}

// Orders fragments: by depth, then by facing.
fn key_of(plane: Plane, range: Range, pixel: vec2i) -> u32 {
  let depth = fragment_depth(plane, range, pixel);
  let back = flags_of(range) & BACK;
  return 2u * u32(depth) + (back ^ frame.front_last);
}

fn is_back(key: u32) -> bool {
  return ((key & 1u) ^ frame.front_last) != 0u;
}

// Lowest and highest depth over the whole pixel, rounding included.
fn interval_of(plane: Plane, range: Range, pixel: vec2i) -> vec2i {
  var low = lowest(range);
  var high = range.y;
  if (!has(flags_of(range), STEEP)) {
    let slope = abs(plane.y) + abs(plane.z);
    let away = abs(pixel - home_of(plane));
    let half = (slope >> 1u) + (slope >> 8u) + 4 + away.x + away.y;
    let middle = depth_of(plane, pixel);
    low = max((middle - half) >> 7u, low);
    high = min(((middle + half) >> 7u) + 1, high);
  }
  return vec2i(low - 4, high + 4);
}

// Lowest depths as numbers without sign, in the same order.
fn low_key(low: i32) -> u32 {
  return u32(low + 4);
}

fn low_of(key: u32) -> i32 {
  return i32(key) - 4;
}
