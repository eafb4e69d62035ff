// uses: each_item.wgsl
// Moves each used row to the place that the sums before it give.
override WORDS: u32 = 4;
@group(0) @binding(0) var<storage, read> sparse: array<u32>;
@group(0) @binding(1) var<storage, read> used: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<uniform> size: vec4u;
@group(0) @binding(4) var<storage, read_write> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> rows: array<u32>;

fn run(i: u32) {
  if (i >= size.x || used[i] == 0u) { return; }
  let place = places[i];
  ids[place] = i;
  for (var k = 0u; k < WORDS; k++) { rows[WORDS * place + k] = sparse[WORDS * i + k]; }
}
