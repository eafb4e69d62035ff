// uses: grid.wgsl
// Faces around a vertex that may meet in more than what they share. One thread per vertex looks at
// all pairs around it. They meet in nothing else
// - when the vertices of one that the other has not are strictly on one side of the other's plane;
// - with one common vertex, when some plane through it has the other vertices of the two faces strictly
//   on its two sides;
// - with a common edge, when it parts them strictly in the picture that is seen along an axis.
// Signs within the rounding are not trusted, and faces for which none of this is certain are marked.
struct Call {
  count: u32,
  // of the body: among all deformed vertices, and among all faces
  first: u32,
  first_face: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> deformed: array<f32>;
@group(0) @binding(2) var<storage, read> faces: array<u32>;
@group(0) @binding(3) var<storage, read> star_ends: array<u32>;
@group(0) @binding(4) var<storage, read> stars: array<u32>;
@group(0) @binding(5) var<storage, read_write> marked: array<atomic<u32>>;

// 8 roundings of 2^-24 at most on each of the terms that `size` adds up, and what is below the
// smallest normal float may be lost
const RELATIVE = 1e-6;
const SMALLEST = 1e-35;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let vertex = item_of(group, groups, local);
  if (vertex >= call.count) { return; }
  var begin = 0u;
  if (vertex > 0u) { begin = star_ends[vertex - 1u]; }
  let end = star_ends[vertex];
  for (var i = begin; i < end; i++) {
    let f = corners(stars[i]);
    let collapsed = f.x == f.y || f.y == f.z || f.z == f.x;
    if (collapsed) { mark(stars[i]); }
    for (var j = begin; j < i; j++) {
      let g = corners(stars[j]);
      if (collapsed || !certain(f, g)) {
        mark(stars[i]);
        mark(stars[j]);
      }
    }
  }
}

fn corners(face: u32) -> vec3u {
  return vec3u(faces[3u * face], faces[3u * face + 1u], faces[3u * face + 2u]);
}

fn mark(face: u32) {
  let i = call.first_face + face;
  atomicOr(&marked[i >> 5u], 1u << (i & 31u));
}

// whether two faces with a common vertex certainly meet in nothing but what they share
fn certain(f: vec3u, g: vec3u) -> bool {
  if (beside(f, g) || beside(g, f)) { return true; }
  let f_shares = vec3<bool>(any(g == f.xxx), any(g == f.yyy), any(g == f.zzz));
  let g_shares = vec3<bool>(any(f == g.xxx), any(f == g.yyy), any(f == g.zzz));
  if (all(f_shares) || all(g_shares)) { return false; }
  // turned so that the common vertex, or the vertex that is not common, comes first
  let counts = vec3u(f_shares);
  if (counts.x + counts.y + counts.z == 1u) {
    return cones_part(turned(f, f_shares, true), turned(g, g_shares, true));
  }
  return pictures_part(turned(f, f_shares, false), turned(g, g_shares, false).x);
}

fn turned(face: vec3u, has: vec3<bool>, wanted: bool) -> vec3u {
  if (has.x == wanted) { return face; }
  if (has.y == wanted) { return face.yzx; }
  return face.zxy;
}

// whether the plane across the mean directions of two faces at their first vertex parts them
fn cones_part(f: vec3u, g: vec3u) -> bool {
  let at = position(f.x);
  let p = position(f.y) - at;
  let q = position(f.z) - at;
  let r = position(g.y) - at;
  let s = position(g.z) - at;
  // however it is rounded, it is some vector
  let across = normalize(p) + normalize(q) - normalize(r) - normalize(s);
  return along(across, p) > 0 && along(across, q) > 0 && along(across, r) < 0
    && along(across, s) < 0;
}

// sign of a dot product; 0 when not certain
fn along(a: vec3f, b: vec3f) -> i32 {
  let value = dot(a, b);
  let bound = RELATIVE * dot(abs(a), abs(b)) + SMALLEST;
  return select(0, 1, value > bound) - select(0, 1, value < -bound);
}

// whether seen along some axis the edge f.yz has the vertices f.x and other on its two sides
fn pictures_part(f: vec3u, other: u32) -> bool {
  let sides = turns(f.y, f.z, f.x);
  return any((sides != vec3i(0)) & (turns(f.y, f.z, other) == -sides));
}

// whether the vertices of f that g has not are strictly on one side of the plane of g
fn beside(f: vec3u, g: vec3u) -> bool {
  var sides = 0;
  var own = 0;
  for (var k = 0u; k < 3u; k++) {
    if (any(g == vec3u(f[k]))) { continue; }
    own++;
    sides += side(g, f[k]);
  }
  return own > 0 && abs(sides) == own;
}

// on which side of the plane of a face a vertex is; 0 when that is not certain
fn side(face: vec3u, vertex: u32) -> i32 {
  let at = position(vertex);
  let a = position(face.x) - at;
  let b = position(face.y) - at;
  let c = position(face.z) - at;
  let volume = dot(a, cross(b, c));
  let p = abs(a);
  let q = abs(b);
  let r = abs(c);
  let size = p.x * (q.y * r.z + q.z * r.y) + p.y * (q.z * r.x + q.x * r.z)
    + p.z * (q.x * r.y + q.y * r.x);
  let widest = max(max(max(p.x, p.y), p.z), max(max(max(q.x, q.y), q.z), max(max(r.x, r.y), r.z)));
  let bound = RELATIVE * size + SMALLEST * (1.0 + widest * (1.0 + widest));
  if (volume > bound) { return 1; }
  if (volume < -bound) { return -1; }
  return 0;
}

// on which side of a line from a to b a vertex is, seen along x, y and z; 0 when not certain
fn turns(a: u32, b: u32, vertex: u32) -> vec3i {
  let p = position(b) - position(a);
  let q = position(vertex) - position(a);
  let left = p.yzx * q.zxy;
  let right = p.zxy * q.yzx;
  let widest = max(max(max(abs(p.x), abs(p.y)), abs(p.z)), max(max(abs(q.x), abs(q.y)), abs(q.z)));
  let bound = RELATIVE * (abs(left) + abs(right)) + SMALLEST * (1.0 + widest);
  let value = left - right;
  return select(vec3i(0), vec3i(1), value > bound) - select(vec3i(0), vec3i(1), value < -bound);
}

fn position(vertex: u32) -> vec3f {
  let i = 3u * (call.first + vertex);
  return vec3f(deformed[i], deformed[i + 1u], deformed[i + 2u]);
}
