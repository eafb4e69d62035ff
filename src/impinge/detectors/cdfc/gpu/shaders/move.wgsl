// uses: grid.wgsl cdfc/fuzzy.wgsl cdfc/share.wgsl cdfc/sums.wgsl
// Of each centre, by one workgroup: the sum of u^m (x - c), of u^m, and of u^m |x - c|^2.
@group(0) @binding(3) var<storage, read> nearest: array<vec2f>;
// two of each centre
@group(0) @binding(4) var<storage, read_write> moments: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let centre = centres[group.x].xyz;
  var mine: Sums;
  for (var i = local; i < fuzzy.points; i += WORKGROUP) {
    let d = points[i].xyz - centre;
    let squared = dot(d, d);
    let u = share(nearest[i].x, squared, fuzzy.power) / nearest[i].y;
    let weight = select(pow(u, fuzzy.fuzziness), u * u, fuzzy.fuzziness == 2.0);
    mine[0] += weight * vec4f(d, 1.0);
    mine[1].x += weight * squared;
  }
  let all = added(mine, local);
  if (local == 0u) {
    moments[2u * group.x] = all[0];
    moments[2u * group.x + 1u] = all[1];
  }
}
