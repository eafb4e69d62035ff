// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl cinder/colour.wgsl
// Filled triangles, with the number of each.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read> labels: array<u32>;

@fragment
fn fs(corner: Corner) -> Painted {
  let triangle = corner.triangle;
  let depth = fragment_depth(planes[triangle], ranges[triangle], pixel_of(corner.position));
  return painted(depth, 0u, labels[triangle]);
}
