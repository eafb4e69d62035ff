// uses: image/scene.wgsl image/pixel.wgsl cinder/colour.wgsl
// Edges, one pixel in each column (or row, if they are steeper) that they pass, in whole numbers. A
// band around the edge is drawn, and the fragment stage keeps what is on it.
@group(0) @binding(1) var<storage, read> vertices: array<i32>;
@group(0) @binding(2) var<storage, read> edges: array<vec2u>;
// what to draw each edge with
@group(0) @binding(3) var<storage, read> labels: array<u32>;

// pixels on each side. The pixel is within half a pixel of the edge, at a place that is within half
// a pixel of the middle of the column; the rest is for rounding.
const REACH = 1.25;

struct Band {
  @builtin(position) @invariant position: vec4f,
  @location(0) @interpolate(flat) edge: u32,
  // place along and across and depth, where it starts and how far it goes; then, 1: along is down
  @location(1) @interpolate(flat) start: vec3i,
  @location(2) @interpolate(flat) way: vec4i,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Band {
  let edge = index / 6u;
  var a = vertex(edges[edge].x);
  var b = vertex(edges[edge].y);
  let size = abs(b.xy - a.xy);
  let down = size.x < size.y;
  if (down) {
    a = a.yxz;
    b = b.yxz;
  }
  if (is_before(b, a)) {
    let first = b;
    b = a;
    a = first;
  }
  let way = b - a;
  let slope = f32(way.y) / f32(max(way.x, 1));
  // two triangles with corners 0 1 2 and 2 1 3, two bits each
  let k = (0xda4u >> (2u * (index % 6u))) & 3u;
  let along = f32(select(a.x >> 8u, (b.x >> 8u) + 1, (k & 1u) != 0u));
  let middle = f32(a.y) * 0x1p-8f + slope * (along - f32(a.x) * 0x1p-8f);
  let at = vec2f(along, middle + select(-REACH, REACH, (k & 2u) != 0u));
  return Band(on_screen(select(at, at.yx, down), 1u), edge, a, vec4i(way, i32(down)));
}

fn vertex(i: u32) -> vec3i {
  return vec3i(vertices[3u * i], vertices[3u * i + 1u], vertices[3u * i + 2u]);
}

// By the place along; an edge that is a point starts at the lesser depth.
fn is_before(a: vec3i, b: vec3i) -> bool {
  return a.x < b.x || (a.x == b.x && a.z < b.z);
}

@fragment
fn fs(band: Band) -> Painted {
  let pixel = pixel_of(band.position);
  let at = select(pixel, pixel.yx, band.way.w != 0);
  let whole = band.way.x;
  // the columns of both ends are drawn, whatever part of them the edge passes
  let part = clamp(256 * at.x + 128 - band.start.x, 0, whole);
  if (whole == 0) {
    if (any(at != (band.start.xy >> vec2u(8u)))) { discard; }
  } else {
    if (at.x < (band.start.x >> 8u) || at.x > ((band.start.x + whole) >> 8u)) { discard; }
    // how far the edge is from the upper border of the pixel, times the length: less than three
    // pixels within the band, so 32 bits hold it, although they do not hold the products
    let beside = band.way.y * part - (256 * at.y - band.start.y) * whole;
    if (beside < 0 || beside >= 256 * whole) { discard; }
  }
  let depth = band.start.z + share(band.way.z, part, whole);
  return painted(depth, labels[band.edge], 0u);
}

// The floor of all * part / whole, 0 <= part <= whole: a quotient of floats, a few off, is corrected
// by what it leaves, which fits into 32 bits.
fn share(all: i32, part: i32, whole: i32) -> i32 {
  if (whole == 0) { return 0; }
  var found = i32(floor(f32(all) * f32(part) / f32(whole)));
  var rest = all * part - found * whole;
  while (rest < 0) {
    rest += whole;
    found--;
  }
  while (rest >= whole) {
    rest -= whole;
    found++;
  }
  return found;
}
