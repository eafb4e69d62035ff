// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl cinder/colour.wgsl
// Filled triangles, but not where the edge is of their own body.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read> labels: array<u32>;
// the body of the edge plus one
@group(0) @binding(6) var owners: texture_2d<u32>;

@fragment
fn fs(corner: Corner) -> Painted {
  let triangle = corner.triangle;
  let pixel = pixel_of(corner.position);
  let range = ranges[triangle];
  if (textureLoad(owners, pixel, 0).x == u32(range.z) + 1u) { discard; }
  return painted(fragment_depth(planes[triangle], range, pixel), 0u, labels[triangle]);
}
