// uses: each_item.wgsl image/scene.wgsl image/pixel.wgsl cinder/colour.wgsl
// All that a pixel has, to be looked at: depth, stencil, edge and solid.
@group(0) @binding(1) var depths: texture_depth_2d;
@group(0) @binding(2) var stencils: texture_2d<u32>;
@group(0) @binding(3) var image: texture_2d<u32>;
@group(0) @binding(4) var<storage, read_write> found: array<vec4u>;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution) { return; }
  let pixel = pixel_at(i);
  let depth = u32(textureLoad(depths, pixel, 0) * 0x1p23f);
  let numbers = numbers_of(textureLoad(image, pixel, 0));
  found[i] = vec4u(depth, textureLoad(stencils, pixel, 0).x, numbers);
}
