// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl
// Puts the fragments of each pixel next to each other.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> keys: array<u32>;
@group(0) @binding(7) var<storage, read_write> owners: array<u32>;

@fragment
fn fs(corner: Corner) {
  let pixel = pixel_of(corner.position);
  let slot = atomicAdd(&next[index_of(pixel)], 1u);
  keys[slot] = key_of(planes[corner.triangle], ranges[corner.triangle], pixel);
  owners[slot] = corner.triangle;
}
