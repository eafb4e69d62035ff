// Stands after the text of the user, which has
//   fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32>
// and may read `parameters`. All other names begin with impinge_, to leave the rest to the user.
struct impinge_Call {
  count: u32,
  first: u32,
  has_rest: u32,
  has_parts: u32,
  rows: mat3x4<f32>,
  t: f32,
}

@group(0) @binding(0) var<uniform> impinge_call: impinge_Call;
@group(0) @binding(1) var<storage, read> impinge_rest: array<f32>;
@group(0) @binding(2) var<storage, read> impinge_parts: array<u32>;
@group(0) @binding(3) var<storage, read> parameters: array<f32>;
@group(0) @binding(4) var<storage, read_write> impinge_deformed: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) impinge_group: vec3<u32>,
  @builtin(num_workgroups) impinge_groups: vec3<u32>,
  @builtin(local_invocation_index) impinge_local: u32,
) {
  // bound also where the user's text does not read them
  _ = &parameters;
  let i = (impinge_group.y * impinge_groups.x + impinge_group.x) * 64u + impinge_local;
  if (i >= impinge_call.count) { return; }
  var rest = vec3<f32>(0.0);
  if (impinge_call.has_rest != 0u) {
    rest = vec3<f32>(impinge_rest[3u * i], impinge_rest[3u * i + 1u], impinge_rest[3u * i + 2u]);
  }
  var part = 0u;
  if (impinge_call.has_parts != 0u) { part = impinge_parts[i]; }
  let local: vec3<f32> = deform(rest, i, part, impinge_call.t);
  let world = vec4<f32>(local, 1.0) * impinge_call.rows;
  let at = 3u * (impinge_call.first + i);
  impinge_deformed[at] = world.x;
  impinge_deformed[at + 1u] = world.y;
  impinge_deformed[at + 2u] = world.z;
}
