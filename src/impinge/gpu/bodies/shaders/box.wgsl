// uses: grid.wgsl
// Lowest and highest corner of one body, and its first vertex that is not finite. The numbers are
// looked at as bits: a compiler may take for granted that floats are finite, but not that bits are.
struct Call {
  count: u32,
  first: u32,
  body: u32,
}
struct Found {
  low: array<atomic<u32>, 3>,
  high: array<atomic<u32>, 3>,
  wrong: atomic<u32>,
  unused: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> deformed: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<Found>;

var<workgroup> low: array<atomic<u32>, 3>;
var<workgroup> high: array<atomic<u32>, 3>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (local < 3u) {
    atomicStore(&low[local], 0xffffffffu);
    atomicStore(&high[local], 0u);
  }
  workgroupBarrier();
  if (i < call.count) {
    for (var k = 0u; k < 3u; k++) {
      let bits = deformed[3u * (call.first + i) + k];
      if ((bits & 0x7f800000u) == 0x7f800000u) { atomicMin(&found[call.body].wrong, i); }
      let key = in_order(bits);
      atomicMin(&low[k], key);
      atomicMax(&high[k], key);
    }
  }
  workgroupBarrier();
  if (local < 3u) {
    atomicMin(&found[call.body].low[local], atomicLoad(&low[local]));
    atomicMax(&found[call.body].high[local], atomicLoad(&high[local]));
  }
}

// whole numbers in the same order as the floats
fn in_order(bits: u32) -> u32 {
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}
