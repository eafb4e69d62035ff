// uses: each_item.wgsl image/scene.wgsl image/corners.wgsl peel/own_box.wgsl peel/words.wgsl
// Marked triangles that no ray has given a box get their own one, so that they are read back too.
@group(0) @binding(3) var<storage, read> marked: array<u32>;
@group(0) @binding(4) var<storage, read_write> sparse: array<u32>;

fn run(i: u32) {
  if (i >= frame.triangles || ((marked[i >> 5u] >> (i & 31u)) & 1u) == 0u) { return; }
  let first = words_of_box() * i;
  for (var k = 0u; k < words_of_box(); k++) {
    if (sparse[first + k] != 0u) { return; }
  }
  let words = stored(outward(box_of(i)));
  for (var k = 0u; k < words_of_box(); k++) { sparse[first + k] = words[k]; }
}
