// uses: each_item.wgsl
// Corners and part of some faces, one after the other: nothing else of a body is read back.
struct Call {
  count: u32,
  // of the body, among all deformed vertices
  first: u32,
  has_parts: u32,
  // of the first face, in `chosen` and in `found`
  start: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> deformed: array<u32>;
@group(0) @binding(2) var<storage, read> faces: array<u32>;
@group(0) @binding(3) var<storage, read> parts: array<u32>;
@group(0) @binding(4) var<storage, read> chosen: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

const WORDS = 10u;

fn run(i: u32) {
  if (i >= call.count) { return; }
  let face = chosen[call.start + i];
  let to = WORDS * (call.start + i);
  for (var corner = 0u; corner < 3u; corner++) {
    let place = 3u * (call.first + faces[3u * face + corner]);
    for (var k = 0u; k < 3u; k++) { found[to + 3u * corner + k] = deformed[place + k]; }
  }
  var part = 0u;
  if (call.has_parts != 0u) { part = parts[faces[3u * face]]; }
  found[to + 9u] = part;
}
