// Whether two successive fragments, one of them of an open body, are close enough to collide.
fn are_near(p: u32, p_key: u32, q: u32, q_key: u32) -> bool {
  let a = ranges[p];
  let b = ranges[q];
  if (has(flags_of(a) | flags_of(b), STEEP)) {
    return lowest(a) - frame.gap <= b.y && lowest(b) - frame.gap <= a.y;
  }
  // both slopes are below 2^29 and the gap is at most 2^23 + 1, so nothing overflows
  let bend = abs(planes[p].y - planes[q].y) + abs(planes[p].z - planes[q].z);
  let apart = i32(q_key >> 1u) - i32(p_key >> 1u);
  return (apart << 7u) <= (frame.gap << 7u) + (bend >> 1u);
}
