// uses: each_item.wgsl image/scene.wgsl image/pixel.wgsl
// After all passes: fragments that share a key do not alternate, and rays that were not seen to
// their middle are on if that is asked for.
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read> distinct: array<u32>;
@group(0) @binding(5) var<storage, read_write> mask: array<u32>;
@group(0) @binding(6) var rest: texture_2d<f32>;
// whether deeper rays are on
@group(0) @binding(7) var<uniform> deeper: vec4u;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution) { return; }
  let exhausted = textureLoad(rest, pixel_at(i), 0).y == 0.0;
  if (select(deeper.x != 0u, distinct[i] < counts[i], exhausted)) { mask[i] = 1u; }
}
