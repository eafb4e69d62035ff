// uses: each_item.wgsl
// Spreads the mask along one axis; rows, then columns, make a square.
@group(0) @binding(0) var<storage, read> mask: array<u32>;
@group(0) @binding(1) var<storage, read_write> wider: array<u32>;
// resolution, reach, and 1 for columns
@group(0) @binding(2) var<uniform> size: vec4u;

fn run(i: u32) {
  if (i >= size.x * size.x) { return; }
  let place = select(i % size.x, i / size.x, size.z != 0u);
  let stride = select(1u, size.x, size.z != 0u);
  var on = 0u;
  for (var k = 0u; k <= 2u * size.y; k++) {
    let at = place + k;
    if (at >= size.y && at < size.x + size.y) { on |= mask[i + k * stride - size.y * stride]; }
  }
  wider[i] = on;
}
