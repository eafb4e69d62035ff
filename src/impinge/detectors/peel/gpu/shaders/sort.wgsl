// uses: each_item.wgsl
// Sorts the fragments of each pixel by (key, triangle): short lists by insertion, long ones as a
// heap, which is never slow.
@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read> ends: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> owners: array<u32>;

const SHORT = 24u;

fn run(i: u32) {
  if (i >= size.x) { return; }
  let count = counts[i];
  let first = ends[i] - count;
  if (count <= SHORT) {
    insert_all(first, count);
  } else {
    heap_sort(first, count);
  }
}

fn is_before(a: vec2u, b: vec2u) -> bool {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn at(i: u32) -> vec2u {
  return vec2u(keys[i], owners[i]);
}

fn put(i: u32, fragment: vec2u) {
  keys[i] = fragment.x;
  owners[i] = fragment.y;
}

fn insert_all(first: u32, count: u32) {
  for (var i = 1u; i < count; i++) {
    let moved = at(first + i);
    var hole = i;
    while (hole > 0u) {
      let left = at(first + hole - 1u);
      if (!is_before(moved, left)) { break; }
      put(first + hole, left);
      hole--;
    }
    put(first + hole, moved);
  }
}

fn heap_sort(first: u32, count: u32) {
  for (var top = count / 2u; top > 0u; top--) { sink(first, top - 1u, count); }
  for (var end = count - 1u; end > 0u; end--) {
    let last = at(first + end);
    put(first + end, at(first));
    put(first, last);
    sink(first, 0u, end);
  }
}

fn sink(first: u32, top: u32, count: u32) {
  let moved = at(first + top);
  var hole = top;
  loop {
    var child = 2u * hole + 1u;
    if (child >= count) { break; }
    if (child + 1u < count && is_before(at(first + child), at(first + child + 1u))) { child++; }
    let larger = at(first + child);
    if (!is_before(moved, larger)) { break; }
    put(first + hole, larger);
    hole = child;
  }
  put(first + hole, moved);
}
