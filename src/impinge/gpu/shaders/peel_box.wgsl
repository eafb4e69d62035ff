// Draws all pixels of a triangle's box; the fragment stage keeps those whose square, grown by a
// subpixel on each side, meets the triangle. No rasteriser rule is involved, so none can differ.
struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) triangle: u32,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
  let triangle = index / 6u;
  let a = corner(triangle, 0u).xy;
  let b = corner(triangle, 1u).xy;
  let c = corner(triangle, 2u).xy;
  let last = vec2i(i32(frame.resolution) - 1);
  let low = clamp((min(a, min(b, c)) - 1) >> vec2u(8u), vec2i(0), last);
  let high = clamp((max(a, max(b, c)) + 1) >> vec2u(8u), vec2i(0), last) + 1;
  // two triangles with corners 0 1 2 and 2 1 3, two bits each
  let k = (0xda4u >> (2u * (index % 6u))) & 3u;
  let at = vec2f(select(low, high, vec2<bool>((k & 1u) != 0u, (k & 2u) != 0u)));
  let unit = 2.0 / f32(frame.resolution);
  return Corner(vec4f(at.x * unit - 1.0, 1.0 - at.y * unit, 0.5, 1.0), triangle);
}

fn covers(triangle: u32, flags: u32, pixel: vec2i) -> bool {
  let turned = !has(flags, BACK);
  let a = corner(triangle, 0u).xy;
  let b = corner(triangle, select(1u, 2u, turned)).xy;
  let c = corner(triangle, select(2u, 1u, turned)).xy;
  let middle = 256 * pixel + 128;
  let flat_one = has(flags, FLAT);
  return meets(a, b, middle, flat_one) && meets(b, c, middle, flat_one)
    && meets(c, a, middle, flat_one);
}

// Whether the most inward corner of the square is on the inner side of the edge from p to q; for a
// triangle without area, whether the line of the edge meets the square.
fn meets(p: vec2i, q: vec2i, middle: vec2i, flat_one: bool) -> bool {
  let across = vec2i(p.y - q.y, q.x - p.x);
  let away = middle - p;
  let value = wide_add(wide_times(across.x, away.x), wide_times(across.y, away.y));
  let reach = wide_of(129 * (abs(across.x) + abs(across.y)));
  if (wide_is_negative(wide_add(value, reach))) { return false; }
  return !flat_one || !wide_is_negative(wide_sub(reach, value));
}
