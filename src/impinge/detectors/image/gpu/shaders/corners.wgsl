// Corners of triangles, in subpixels and depths.
@group(0) @binding(1) var<storage, read> vertices: array<i32>;
@group(0) @binding(2) var<storage, read> faces: array<u32>;

fn corner(triangle: u32, k: u32) -> vec3i {
  let v = 3u * faces[3u * triangle + k];
  return vec3i(vertices[v], vertices[v + 1u], vertices[v + 2u]);
}
