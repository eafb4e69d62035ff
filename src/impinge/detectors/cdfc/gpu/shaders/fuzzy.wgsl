// What the passes of fuzzy C-means share.
struct Fuzzy {
  points: u32,
  centres: u32,
  // 1 / (m - 1), m
  power: f32,
  fuzziness: f32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
@group(0) @binding(1) var<storage, read> centres: array<vec4f>;
@group(0) @binding(2) var<uniform> fuzzy: Fuzzy;
