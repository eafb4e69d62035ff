// uses: image/scene.wgsl image/corners.wgsl image/box.wgsl image/pixel.wgsl wide.wgsl
// Triangles that meet each pixel.
@group(0) @binding(3) var<storage, read> ranges: array<Range>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

@fragment
fn fs(corner: Corner) {
  let pixel = pixel_of(corner.position);
  if (covers(corner, pixel)) {
    atomicAdd(&counts[index_of(pixel)], 1u);
  }
}
