// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl
// One layer: the nearest fragment beyond the one of the last pass wins the depth test.
struct Nearest {
  @builtin(frag_depth) depth: f32,
  @location(0) owner: u32,
}

@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
// of each pixel: key of the last layer plus one, and its triangle
@group(0) @binding(5) var<storage, read> last: array<vec2u>;
@group(0) @binding(6) var<storage, read> mask: array<u32>;
@group(0) @binding(7) var<storage, read_write> equal: array<atomic<u32>>;

@fragment
fn fs(corner: Corner) -> Nearest {
  let pixel = pixel_of(corner.position);
  let index = index_of(pixel);
  let key = key_of(planes[corner.triangle], ranges[corner.triangle], pixel);
  let reached = last[index].x;
  if (key + 1u == reached) { atomicAdd(&equal[index], 1u); }
  if (mask[index] != 0u || key < reached) { discard; }
  // 24 bits are exact in a float
  return Nearest(f32(key) * 0x1p-24f, corner.triangle + 1u);
}
