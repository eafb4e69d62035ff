// uses: each_item.wgsl image/scene.wgsl peel/near.wgsl
// Walks along the ray of each pixel: on where the facing is not the expected one, or where an open
// surface is close to its neighbour.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read> counts: array<u32>;
@group(0) @binding(6) var<storage, read> ends: array<u32>;
@group(0) @binding(7) var<storage, read> keys: array<u32>;
@group(0) @binding(8) var<storage, read> owners: array<u32>;
@group(0) @binding(9) var<storage, read_write> mask: array<u32>;
// layers to look at, and whether more than that many switch a ray on
@group(0) @binding(10) var<uniform> budget: vec4u;

fn run(i: u32) {
  if (i < frame.resolution * frame.resolution) {
    mask[i] = u32(is_on(ends[i] - counts[i], counts[i]));
  }
}

fn is_on(first: u32, count: u32) -> bool {
  var expected = 0u;
  for (var i = first; i < first + min(count, budget.x); i++) {
    let flags = flags_of(ranges[owners[i]]);
    if (i > first && !has(flags & flags_of(ranges[owners[i - 1u]]), CLOSED)
        && are_near(owners[i - 1u], keys[i - 1u], owners[i], keys[i])) {
      return true;
    }
    if (has(flags, CLOSED)) {
      if ((flags & BACK) != expected) { return true; }
      expected ^= BACK;
    }
  }
  return budget.y != 0u && count > budget.x;
}
