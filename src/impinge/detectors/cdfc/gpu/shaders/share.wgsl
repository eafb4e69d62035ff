// Memberships of fuzzy C-means: u_l = share(nearest, d_l) / sum of all shares, of squared distances.
fn share(nearest: f32, squared: f32, power: f32) -> f32 {
  if (nearest <= 0.0) { return select(0.0, 1.0, squared <= 0.0); }
  let ratio = nearest / squared;
  return select(pow(ratio, power), ratio, power == 1.0);
}

fn squared_distance(a: vec3f, b: vec3f) -> f32 {
  let d = a - b;
  return dot(d, d);
}
