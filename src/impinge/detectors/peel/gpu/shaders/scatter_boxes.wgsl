// uses: image/scene.wgsl image/corners.wgsl image/box.wgsl image/depth.wgsl image/pixel.wgsl wide.wgsl
// Puts the triangles that meet a pixel next to each other, with the lowest depth of each there.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> keys: array<u32>;
@group(0) @binding(7) var<storage, read_write> owners: array<u32>;

@fragment
fn fs(corner: Corner) {
  let pixel = pixel_of(corner.position);
  if (!covers(corner, pixel)) { return; }
  let slot = atomicAdd(&next[index_of(pixel)], 1u);
  keys[slot] = low_key(interval_of(planes[corner.triangle], ranges[corner.triangle], pixel).x);
  owners[slot] = corner.triangle;
}
