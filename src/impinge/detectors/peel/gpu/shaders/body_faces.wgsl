// uses: each_item.wgsl
// Faces of one body among those of all bodies: rows of vertices, and the number of the body.
struct Call {
  count: u32,
  first_face: u32,
  first_vertex: u32,
  body: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> own: array<u32>;
@group(0) @binding(2) var<storage, read_write> faces: array<u32>;
@group(0) @binding(3) var<storage, read_write> bodies: array<u32>;

fn run(i: u32) {
  if (i >= call.count) { return; }
  let to = call.first_face + i;
  for (var k = 0u; k < 3u; k++) { faces[3u * to + k] = own[3u * i + k] + call.first_vertex; }
  bodies[to] = call.body;
}
