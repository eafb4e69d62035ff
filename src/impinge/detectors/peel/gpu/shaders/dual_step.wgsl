// uses: each_item.wgsl image/scene.wgsl image/depth.wgsl image/pixel.wgsl
// After a pass of both streams: judges the nearest and the farthest layer, counts distinct keys.
@group(0) @binding(3) var<storage, read_write> reached: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> distinct: array<u32>;
@group(0) @binding(5) var<storage, read_write> mask: array<u32>;
@group(0) @binding(6) var found: texture_2d<f32>;
// the number of this pass
@group(0) @binding(7) var<uniform> pass_index: vec4u;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution) { return; }
  let both = textureLoad(found, pixel_at(i), 0).xy;
  if (both.y == 0.0) { return; }
  let front = 0x1000000u - u32(both.x);
  let back = u32(both.y) - 1u;
  let expects_back = (pass_index.x & 1u) != 0u;
  if (is_back(front) != expects_back || is_back(back) == expects_back) { mask[i] = 1u; }
  distinct[i] += select(2u, 1u, front == back);
  // with one key left, the streams have met: nothing lies between them
  reached[i] = vec2u(front + 1u, 0x1000000u - back);
}
