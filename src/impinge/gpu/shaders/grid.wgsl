// One index per thread, also when the workgroups do not fit into one dimension.
const WORKGROUP = 64u;

fn item_of(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * WORKGROUP + local;
}
