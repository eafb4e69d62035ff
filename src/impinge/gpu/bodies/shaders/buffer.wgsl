// uses: bodies/deform.wgsl
// The vertices that the user's own GPU code has written are taken as they are.
fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {
  return rest;
}
