// uses: each_item.wgsl
// How many clusters each triangle is in. size: triangles, words of each.
@group(0) @binding(0) var<storage, read> members: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> copies: array<u32>;

fn run(i: u32) {
  if (i >= size.x) { return; }
  var count = 0u;
  for (var word = 0u; word < size.y; word++) { count += countOneBits(members[size.y * i + word]); }
  copies[i] = count;
}
