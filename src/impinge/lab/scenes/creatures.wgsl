// The formula of creatures.py, for one vertex. Each part has four rows of four parameters:
// root, length; axis, bend; side, phase; offset, growth.
const SPEED = 12.566370614359172;
const CURL = 2.0;

fn row(part: u32, index: u32) -> vec4<f32> {
  let i = 16u * part + 4u * index;
  return vec4<f32>(parameters[i], parameters[i + 1u], parameters[i + 2u], parameters[i + 3u]);
}

fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {
  let root_length = row(part, 0u);
  let axis_bend = row(part, 1u);
  let side_phase = row(part, 2u);
  let offset_growth = row(part, 3u);
  let axis = axis_bend.xyz;
  let side = side_phase.xyz;
  let growth = offset_growth.w;
  // height above the root
  let h = dot(rest - root_length.xyz, axis);
  let u = h / root_length.w;
  let a = SPEED * t + side_phase.w - CURL * u;
  let swing = axis_bend.w * u * u * (cos(a) * side + sin(a) * cross(axis, side));
  return rest + offset_growth.xyz + (growth - 1.0) * h * axis + growth * swing;
}
