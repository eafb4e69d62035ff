// uses: each_item.wgsl peel/words.wgsl peel/levels.wgsl
// One level of the pyramid: each box holds four of the level below.
@group(0) @binding(0) var<uniform> levels: Levels;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> pyramid: array<u32>;

fn run(i: u32) {
  let size = levels.resolution >> levels.level;
  if (i >= size * size) { return; }
  let x = i % size;
  let y = i / size;
  var box = nothing_of(levels.resolution);
  for (var k = 0u; k < 4u; k++) {
    box = united(box, below(2u * x + (k & 1u), 2u * y + (k >> 1u)));
  }
  let words = stored(box);
  let first = words_of_box() * texel_index(levels.resolution, levels.level, x, y);
  for (var k = 0u; k < words_of_box(); k++) { pyramid[first + k] = words[k]; }
}

fn below(x: u32, y: u32) -> vec4i {
  if (levels.level == 1u) {
    let on = mask[y * levels.resolution + x] != 0u;
    return select(nothing_of(levels.resolution), pixel_box(x, y), on);
  }
  let first = words_of_box() * texel_index(levels.resolution, levels.level - 1u, x, y);
  var words = vec4u(0u);
  for (var k = 0u; k < words_of_box(); k++) { words[k] = pyramid[first + k]; }
  return restored(words);
}
