// uses: each_item.wgsl image/scene.wgsl image/corners.wgsl wide.wgsl
// Facing, depth plane and depth range of each triangle, in whole numbers.
@group(0) @binding(3) var<storage, read> bodies: array<u32>;
@group(0) @binding(4) var<storage, read> body_flags: array<u32>;
@group(0) @binding(5) var<storage, read_write> planes: array<Plane>;
@group(0) @binding(6) var<storage, read_write> ranges: array<Range>;

fn run(i: u32) {
  if (i >= frame.triangles) { return; }
  let v0 = corner(i, 0u);
  let v1 = corner(i, 1u);
  let v2 = corner(i, 2u);
  let d1 = v1 - v0;
  let d2 = v2 - v0;
  let home = v0.xy >> vec2u(8u);
  let area = minor(d1.x, d2.y, d2.x, d1.y);
  var plane = Plane(0, 0, 0, home.x | (home.y << 16u));
  var flags = body_flags[bodies[i]];
  if (wide_is_zero(area)) {
    flags |= STEEP;
  } else {
    let nx = minor(d1.z, d2.y, d2.z, d1.y);
    let ny = minor(d1.x, d2.z, d2.x, d1.z);
    let gx = wide_quotient(wide_shifted_left(nx, 15u), area);
    let gy = wide_quotient(wide_shifted_left(ny, 15u), area);
    let middle = 256 * home + 128 - v0.xy;
    let away = wide_add(wide_mul(nx, wide_of(middle.x)), wide_mul(ny, wide_of(middle.y)));
    let step = wide_quotient(wide_shifted_left(away, 7u), area);
    plane.x = (v0.z << 7u) + i32(step.x);
    plane.y = i32(gx.x);
    plane.z = i32(gy.x);
    let slope = wide_add(wide_abs(gx), wide_abs(gy));
    if (slope.y != 0u || slope.x >= (1u << 29u)) { flags |= STEEP; }
    if (!wide_is_negative(area)) { flags |= BACK; }
  }
  planes[i] = plane;
  let low = min(v0.z, min(v1.z, v2.z));
  let high = max(v0.z, max(v1.z, v2.z));
  ranges[i] = Range(low | i32(flags << 24u), high, i32(bodies[i]), 0);
}

// a b - c d
fn minor(a: i32, b: i32, c: i32, d: i32) -> Wide {
  return wide_sub(wide_times(a, b), wide_times(c, d));
}
