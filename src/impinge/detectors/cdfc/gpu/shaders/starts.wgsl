// uses: each_item.wgsl
// Where the rows of each cluster start, and where the last ends. size: rows, clusters.
@group(0) @binding(0) var<storage, read> clusters: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;

fn run(i: u32) {
  if (i > size.x) { return; }
  var first = 0u;
  if (i > 0u) { first = clusters[i - 1u] + 1u; }
  var last = size.y;
  if (i < size.x) { last = clusters[i]; }
  // clusters without a row start where the next one does
  for (var l = first; l <= last; l++) { starts[l] = i; }
}
