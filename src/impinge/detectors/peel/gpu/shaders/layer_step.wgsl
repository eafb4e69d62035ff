// uses: each_item.wgsl image/scene.wgsl image/depth.wgsl image/pixel.wgsl peel/near.wgsl
// After a layer: judges it against the expected facing and the layer before it.
@group(0) @binding(3) var<storage, read> planes: array<Plane>;
@group(0) @binding(4) var<storage, read> ranges: array<Range>;
@group(0) @binding(5) var<storage, read_write> last: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> mask: array<u32>;
@group(0) @binding(7) var<storage, read_write> equal: array<u32>;
@group(0) @binding(8) var owners: texture_2d<u32>;

// set in the triangle of the last layer when a back face is expected next
const EXPECTS_BACK = 0x80000000u;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution || mask[i] != 0u) { return; }
  let before = last[i];
  // fragments of the same key have the same facing: two hits in a row that do not alternate
  let twice = equal[i] > 1u;
  equal[i] = 0u;
  let pixel = pixel_at(i);
  let owner = textureLoad(owners, pixel, 0).x;
  if (twice) { mask[i] = 1u; }
  if (twice || owner == 0u) { return; }
  let triangle = owner - 1u;
  let key = key_of(planes[triangle], ranges[triangle], pixel);
  let flags = flags_of(ranges[triangle]);
  var expected = before.y & EXPECTS_BACK;
  if (before.x != 0u) {
    let previous = before.y & ~EXPECTS_BACK;
    if (!has(flags & flags_of(ranges[previous]), CLOSED)
        && are_near(previous, before.x - 1u, triangle, key)) {
      mask[i] = 1u;
    }
  }
  if (has(flags, CLOSED)) {
    if (has(flags, BACK) != (expected != 0u)) { mask[i] = 1u; }
    expected ^= EXPECTS_BACK;
  }
  last[i] = vec2u(key + 1u, triangle | expected);
}
