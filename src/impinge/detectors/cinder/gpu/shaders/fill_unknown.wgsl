// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl cinder/colour.wgsl
// Filled triangles, but not where the edge is of a body that is not looked for.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read> labels: array<u32>;
// the body of the edge plus one
@group(0) @binding(6) var owners: texture_2d<u32>;
// of each body: where its own begin among them
@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> hidden: array<u32>;

@fragment
fn fs(corner: Corner) -> Painted {
  let triangle = corner.triangle;
  let pixel = pixel_of(corner.position);
  let range = ranges[triangle];
  let owner = textureLoad(owners, pixel, 0).x;
  let body = u32(range.z);
  for (var k = starts[body]; k < starts[body + 1u]; k++) {
    if (hidden[k] + 1u == owner) { discard; }
  }
  return painted(fragment_depth(planes[triangle], range, pixel), 0u, labels[triangle]);
}
