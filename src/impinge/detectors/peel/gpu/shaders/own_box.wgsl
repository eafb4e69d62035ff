// A subpixel more than the snapped corners, for what snapping took away.
fn box_of(triangle: u32) -> vec4i {
  let a = corner(triangle, 0u).xy;
  let b = corner(triangle, 1u).xy;
  let c = corner(triangle, 2u).xy;
  let whole = i32(256u * frame.resolution);
  let low = clamp(min(a, min(b, c)) - 1, vec2i(0), vec2i(whole - 1));
  let high = clamp(max(a, max(b, c)) + 1, vec2i(1), vec2i(whole));
  return vec4i(low, high);
}
