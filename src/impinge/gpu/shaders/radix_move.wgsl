// uses: each_item.wgsl radix_digit.wgsl
// Moves keys and values to the places of their digits. size: keys, threads, shift.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<uniform> size: vec4u;
@group(0) @binding(4) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> sorted_values: array<u32>;

fn run(i: u32) {
  if (i >= size.y) { return; }
  var next: array<u32, DIGITS>;
  for (var digit = 0u; digit < DIGITS; digit++) { next[digit] = places[digit * size.y + i]; }
  for (var k = EACH * i; k < min(EACH * (i + 1u), size.x); k++) {
    let key = keys[k];
    let digit = digit_of(key, size.z);
    sorted_keys[next[digit]] = key;
    sorted_values[next[digit]] = values[k];
    next[digit]++;
  }
}
