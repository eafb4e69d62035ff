// What every pass over triangles reads.
struct Frame {
  resolution: u32,
  triangles: u32,
  // 1: fragments of front faces come after those of back faces at the same depth
  front_last: u32,
  // largest distance in depth of open surfaces that collide
  gap: i32,
}

// of a triangle: depth at the middle of its home pixel and its change to the right and down (7
// fractional bits), and that pixel, y above 16 bits of x
alias Plane = vec4i;
// lowest depth, with the flags above 24 bits, highest depth, and the body
alias Range = vec4i;

const BACK = 1u;
const STEEP = 2u;  // or seen edge-on
const CLOSED = 4u;
const ALONE = 8u;

@group(0) @binding(0) var<uniform> frame: Frame;

fn flags_of(range: Range) -> u32 {
  return u32(range.x) >> 24u;
}

fn lowest(range: Range) -> i32 {
  return range.x & 0xffffff;
}

fn has(flags: u32, flag: u32) -> bool {
  return (flags & flag) != 0u;
}
