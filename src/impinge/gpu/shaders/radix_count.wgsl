// uses: each_item.wgsl radix_digit.wgsl
// How often each digit comes among the keys of each thread; digit by digit, so that sums of all
// counts before one are places in a stable order. size: keys, threads, shift.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

fn run(i: u32) {
  if (i >= size.y) { return; }
  var found: array<u32, DIGITS>;
  for (var k = EACH * i; k < min(EACH * (i + 1u), size.x); k++) {
    found[digit_of(keys[k], size.z)]++;
  }
  for (var digit = 0u; digit < DIGITS; digit++) { counts[digit * size.y + i] = found[digit]; }
}
