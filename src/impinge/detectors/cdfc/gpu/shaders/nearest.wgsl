// uses: each_item.wgsl cdfc/fuzzy.wgsl cdfc/share.wgsl
// Of each point: the squared distance of the nearest centre, and the sum of all shares.
@group(0) @binding(3) var<storage, read_write> nearest: array<vec2f>;

fn run(i: u32) {
  if (i >= fuzzy.points) { return; }
  let x = points[i].xyz;
  var least = squared_distance(x, centres[0].xyz);
  for (var l = 1u; l < fuzzy.centres; l++) {
    least = min(least, squared_distance(x, centres[l].xyz));
  }
  var sum = 0.0;
  for (var l = 0u; l < fuzzy.centres; l++) {
    sum += share(least, squared_distance(x, centres[l].xyz), fuzzy.power);
  }
  nearest[i] = vec2f(least, sum);
}
