// Draws triangles as they are: the rasteriser covers pixel middles by the top-left rule. Corners
// are whole subpixels and the resolution is a power of two, so they are exact in a float.
struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) triangle: u32,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
  let at = corner(index / 3u, index % 3u).xy;
  let unit = 2.0 / (256.0 * f32(frame.resolution));
  let x = f32(at.x) * unit - 1.0;
  let y = 1.0 - f32(at.y) * unit;
  return Corner(vec4f(x, y, 0.5, 1.0), index / 3u);
}
