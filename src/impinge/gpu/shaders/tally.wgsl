// Largest value, sum (64 bits) and sum of marks of a workgroup, in log steps.
var<workgroup> parts: array<vec4u, WORKGROUP>;

fn tallied(mine: vec4u, local: u32) -> vec4u {
  parts[local] = mine;
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (local < half) { parts[local] = joined(parts[local], parts[local + half]); }
  }
  return parts[0];
}

fn joined(a: vec4u, b: vec4u) -> vec4u {
  let low = a.y + b.y;
  return vec4u(max(a.x, b.x), low, a.z + b.z + u32(low < a.y), a.w + b.w);
}
