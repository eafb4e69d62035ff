// uses: each_item.wgsl
// A row for each triangle and each of its clusters. size: triangles, words of each.
@group(0) @binding(0) var<storage, read> members: array<u32>;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;
@group(0) @binding(3) var<storage, read_write> clusters: array<u32>;
@group(0) @binding(4) var<storage, read_write> triangles: array<u32>;

fn run(i: u32) {
  if (i >= size.x) { return; }
  var place = places[i];
  for (var word = 0u; word < size.y; word++) {
    for (var bits = members[size.y * i + word]; bits != 0u; bits &= bits - 1u) {
      clusters[place] = 32u * word + firstTrailingBit(bits);
      triangles[place] = i;
      place++;
    }
  }
}
