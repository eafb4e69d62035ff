// uses: peel_scene.wgsl peel_corners.wgsl peel_box.wgsl peel_pixel.wgsl wide.wgsl
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
