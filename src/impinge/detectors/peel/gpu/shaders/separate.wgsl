// uses: each_item.wgsl image/scene.wgsl image/corners.wgsl peel/own_box.wgsl peel/words.wgsl peel/levels.wgsl
// The part of each triangle's box that holds rays, from up to four texels of the level that has
// texels of the size of the box; zero where there are none.
@group(0) @binding(3) var<storage, read> mask: array<u32>;
@group(0) @binding(4) var<storage, read> pyramid: array<u32>;
@group(0) @binding(5) var<storage, read_write> sparse: array<u32>;

fn run(i: u32) {
  if (i >= frame.triangles) { return; }
  let words = stored(part_of(box_of(i)));
  for (var k = 0u; k < words_of_box(); k++) { sparse[words_of_box() * i + k] = words[k]; }
}

fn part_of(box: vec4i) -> vec4i {
  let level = level_of(box);
  let first = first_texel(box, level);
  let last = last_texel(box, level);
  var rays = nothing_of(frame.resolution);
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) { rays = united(rays, texel(level, x, y)); }
  }
  if (any(rays.xy >= rays.zw)) { return vec4i(0); }
  let own = outward(box);
  let low = max(rays.xy, own.xy);
  var high = min(rays.zw, own.zw);
  if (any(low > high)) { return vec4i(0); }
  // a box without area would read as none
  high += vec2i(low == high);
  return outward(vec4i(low, high));
}

fn level_of(box: vec4i) -> u32 {
  let extent = max(box.z - box.x, box.w - box.y);
  var level = 0u;
  while ((256 << level) < extent) { level++; }
  if (level > 0u && all(last_texel(box, level - 1u) <= first_texel(box, level - 1u) + 1u)) {
    level--;
  }
  return level;
}

fn first_texel(box: vec4i, level: u32) -> vec2u {
  return vec2u(box.xy) >> vec2u(8u + level);
}

fn last_texel(box: vec4i, level: u32) -> vec2u {
  let whole = i32(256u * frame.resolution);
  return vec2u(min(box.zw, vec2i(whole - 1))) >> vec2u(8u + level);
}

fn texel(level: u32, x: u32, y: u32) -> vec4i {
  if (level == 0u) {
    let on = mask[y * frame.resolution + x] != 0u;
    return select(nothing_of(frame.resolution), pixel_box(x, y), on);
  }
  let first = words_of_box() * texel_index(frame.resolution, level, x, y);
  var words = vec4u(0u);
  for (var k = 0u; k < words_of_box(); k++) { words[k] = pyramid[first + k]; }
  return restored(words);
}
