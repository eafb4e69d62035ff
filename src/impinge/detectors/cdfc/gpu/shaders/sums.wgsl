// Twelve sums over a workgroup, in log steps.
alias Sums = array<vec4f, 3>;
var<workgroup> parts: array<Sums, WORKGROUP>;

fn added(mine: Sums, local: u32) -> Sums {
  parts[local] = mine;
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (local < half) {
      for (var k = 0u; k < 3u; k++) { parts[local][k] += parts[local + half][k]; }
    }
  }
  workgroupBarrier();
  return parts[0];
}
