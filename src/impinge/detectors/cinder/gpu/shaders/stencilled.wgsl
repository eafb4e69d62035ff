// uses: each_item.wgsl image/scene.wgsl image/pixel.wgsl
// Pixels whose stencil is at least so high.
override LEAST: u32;
@group(0) @binding(1) var stencils: texture_2d<u32>;
@group(0) @binding(2) var<storage, read_write> count: array<atomic<u32>>;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution) { return; }
  if (textureLoad(stencils, pixel_at(i), 0).x >= LEAST) { atomicAdd(&count[0], 1u); }
}
