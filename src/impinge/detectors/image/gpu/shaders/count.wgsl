// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/pixel.wgsl
// Fragments of each pixel, and whether those of closed bodies are odd in number.
@group(0) @binding(3) var<storage, read> ranges: array<Range>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> odd: array<atomic<u32>>;

@fragment
fn fs(corner: Corner) {
  let index = index_of(pixel_of(corner.position));
  atomicAdd(&counts[index], 1u);
  if (has(flags_of(ranges[corner.triangle]), CLOSED)) { atomicXor(&odd[index], 1u); }
}
