// Points of the soup in units of 2^-24 of the frame: whole numbers that float32 has, at most 1.01
// units from the truth in each coordinate, and nowhere in another order.
fn point(vertex: i32) -> vec3i {
  let at = 3 * vertex;
  return vec3i(points[at], points[at + 1], points[at + 2]);
}
