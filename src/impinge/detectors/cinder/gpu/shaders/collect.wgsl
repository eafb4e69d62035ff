// uses: each_item.wgsl image/scene.wgsl image/pixel.wgsl cinder/colour.wgsl
// The pairs of an image, one or two words for each pixel: zero where there is none.
// whether solids are numbered by their faces
override BY_FACE: bool = false;

@group(0) @binding(1) var image: texture_2d<u32>;
// the body of the edge plus one
@group(0) @binding(2) var owners: texture_2d<u32>;
// number of faces of all bodies before each one, and how many bodies there are
@group(0) @binding(3) var<storage, read> first_faces: array<u32>;
@group(0) @binding(4) var<uniform> bodies: vec4u;
@group(0) @binding(5) var<storage, read_write> pairs: array<u32>;
// pixels with an edge, with one inside of something, with one inside of its own body, and pairs
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>, 4>;

fn run(i: u32) {
  if (i >= frame.resolution * frame.resolution) { return; }
  let pixel = pixel_at(i);
  let owner = textureLoad(owners, pixel, 0).x;
  if (owner == 0u) { return; }
  let numbers = numbers_of(textureLoad(image, pixel, 0));
  atomicAdd(&counts[0], 1u);
  if (numbers.x != 0u) { atomicAdd(&counts[1], 1u); }
  if (numbers.x == 0u || numbers.y == 0u) { return; }
  if (owner == 1u + body_of(numbers.y)) {
    atomicAdd(&counts[2], 1u);
    return;
  }
  atomicAdd(&counts[3], 1u);
  if (SOLID_BITS != 0u) {
    pairs[i] = word_of(numbers.x, numbers.y);
  } else {
    pairs[2u * i] = numbers.x;
    pairs[2u * i + 1u] = numbers.y;
  }
}

fn body_of(number: u32) -> u32 {
  if (!BY_FACE) { return number - 1u; }
  // the last body that starts before this number; faces are numbered from one
  var low = 0u;
  var high = bodies.x;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (first_faces[middle] < number) { low = middle; } else { high = middle; }
  }
  return low;
}
