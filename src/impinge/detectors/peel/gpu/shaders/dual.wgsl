// uses: image/scene.wgsl image/corners.wgsl image/triangle.wgsl image/depth.wgsl image/pixel.wgsl
// Two layers at a time: the largest of (2^24 - key, key + 1) is the nearest and the farthest
// fragment between those of the last pass. Whole numbers up to 2^24 are exact in a float.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
// of each pixel: key of the front layer plus one, and 2^24 less the key of the back layer
@group(0) @binding(5) var<storage, read> reached: array<vec2u>;

@fragment
fn fs(corner: Corner) -> @location(0) vec2f {
  let pixel = pixel_of(corner.position);
  let key = key_of(planes[corner.triangle], ranges[corner.triangle], pixel);
  let bounds = reached[index_of(pixel)];
  if (key < bounds.x || key + bounds.y >= 0x1000000u) { discard; }
  return vec2f(f32(0x1000000u - key), f32(key + 1u));
}
