// Draws triangles as they are: the rasteriser covers pixel middles by the top-left rule. Corners
// are whole subpixels and the resolution is a power of two, so they are exact in a float.
struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) triangle: u32,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
  let at = corner(index / 3u, index % 3u).xy;
  return Corner(on_screen(vec2f(at), 256u), index / 3u);
}
