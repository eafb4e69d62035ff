// Draws all pixels of a triangle's box; the fragment stage keeps those whose square, grown by a
// subpixel on each side, meets the triangle. No rasteriser rule is involved, so none can differ.
struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) triangle: u32,
  // in the order in which the inside is on the positive side of every edge
  @location(1) @interpolate(flat) a: vec2i,
  @location(2) @interpolate(flat) b: vec2i,
  @location(3) @interpolate(flat) c: vec2i,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
  let triangle = index / 6u;
  let turned = !has(flags_of(ranges[triangle]), BACK);
  let a = corner(triangle, 0u).xy;
  let b = corner(triangle, select(1u, 2u, turned)).xy;
  let c = corner(triangle, select(2u, 1u, turned)).xy;
  let last = vec2i(i32(frame.resolution) - 1);
  let low = clamp((min(a, min(b, c)) - 1) >> vec2u(8u), vec2i(0), last);
  let high = clamp((max(a, max(b, c)) + 1) >> vec2u(8u), vec2i(0), last) + 1;
  // two triangles with corners 0 1 2 and 2 1 3, two bits each
  let k = (0xda4u >> (2u * (index % 6u))) & 3u;
  let at = vec2f(select(low, high, vec2<bool>((k & 1u) != 0u, (k & 2u) != 0u)));
  return Corner(on_screen(at, 1u), triangle, a, b, c);
}

fn covers(corner: Corner, pixel: vec2i) -> bool {
  let middle = 256 * pixel + 128;
  return meets(corner.a, corner.b, middle) && meets(corner.b, corner.c, middle)
    && meets(corner.c, corner.a, middle);
}

// Two products of this size and the reach fit into 31 bits.
const SMALL = 0x7c00;

// Whether the most inward corner of the square is on the inner side of the edge from p to q. Of a
// triangle without area, the edges run along one line in both directions, which makes this a test of
// both sides.
fn meets(p: vec2i, q: vec2i, middle: vec2i) -> bool {
  let across = vec2i(p.y - q.y, q.x - p.x);
  let away = middle - p;
  let reach = 129 * (abs(across.x) + abs(across.y));
  let most = max(abs(across), abs(away));
  if (max(most.x, most.y) <= SMALL) {
    return across.x * away.x + across.y * away.y + reach >= 0;
  }
  let value = wide_add(wide_times(across.x, away.x), wide_times(across.y, away.y));
  return !wide_is_negative(wide_add(value, wide_of(reach)));
}
