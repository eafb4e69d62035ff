// uses: each_item.wgsl image/scene.wgsl image/depth.wgsl image/pixel.wgsl
// A pixel is on when two of its triangles that may collide have overlapping depths there. They come
// in the order of their lowest depths, so a triangle overlaps an earlier one that reaches its own.
@group(0) @binding(2) var<storage, read> faces: array<u32>;
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read> counts: array<u32>;
@group(0) @binding(6) var<storage, read> ends: array<u32>;
@group(0) @binding(7) var<storage, read> keys: array<u32>;
@group(0) @binding(8) var<storage, read> owners: array<u32>;
@group(0) @binding(9) var<storage, read_write> mask: array<u32>;

const NOBODY = -1;
const NOWHERE = -0x40000000;

fn run(i: u32) {
  if (i < frame.resolution * frame.resolution) {
    mask[i] = u32(is_on(ends[i] - counts[i], counts[i], pixel_at(i)));
  }
}

fn is_on(first: u32, count: u32, pixel: vec2i) -> bool {
  // Triangles that reach the one at hand are all of its own body, or it would have ended here: so it
  // is enough to know the body of the last one and how far back that body reaches.
  var farthest = NOWHERE;
  var farthest_body = NOBODY;
  for (var i = first; i < first + count; i++) {
    let triangle = owners[i];
    let range = ranges[triangle];
    let body = range.z;
    let low = low_of(keys[i]);
    if (body != farthest_body && farthest >= low) { return true; }
    let high = interval_of(planes[triangle], range, pixel).y;
    farthest = select(high, max(farthest, high), body == farthest_body);
    farthest_body = body;
    if (has(flags_of(range), ALONE) && meets_itself(first, i, pixel)) { return true; }
  }
  return false;
}

// Whether fragment i overlaps an earlier one of its body that has no corner in common with it.
fn meets_itself(first: u32, i: u32, pixel: vec2i) -> bool {
  let q = owners[i];
  for (var j = first; j < i; j++) {
    let p = owners[j];
    if (ranges[p].z == ranges[q].z
        && interval_of(planes[p], ranges[p], pixel).y >= low_of(keys[i])
        && !are_neighbours(p, q)) {
      return true;
    }
  }
  return false;
}

fn are_neighbours(p: u32, q: u32) -> bool {
  for (var i = 0u; i < 3u; i++) {
    let mine = faces[3u * p + i];
    if (mine == faces[3u * q] || mine == faces[3u * q + 1u] || mine == faces[3u * q + 2u]) {
      return true;
    }
  }
  return false;
}
