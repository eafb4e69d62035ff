// uses: each_item.wgsl
// Deformed vertices as they are seen: x and y in subpixels, and depth. Each result passes five
// roundings of 2^-24 of half the image before the last one to a whole number.
struct Call {
  right: vec3f,
  scale: f32,
  down: vec3f,
  depth_scale: f32,
  forward: vec3f,
  count: u32,
  centre: vec3f,
  first: u32,
  middle: vec3i,
  target_first: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> deformed: array<f32>;
@group(0) @binding(2) var<storage, read_write> snapped: array<i32>;

fn run(i: u32) {
  if (i >= call.count) { return; }
  let place = 3u * (call.first + i);
  let away = vec3f(deformed[place], deformed[place + 1u], deformed[place + 2u]) - call.centre;
  let seen = vec3f(
    dot(call.right, away) * call.scale,
    dot(call.down, away) * call.scale,
    dot(call.forward, away) * call.depth_scale,
  );
  let whole = vec3i(round(seen)) + call.middle;
  let to = 3u * (call.target_first + i);
  snapped[to] = whole.x;
  snapped[to + 1u] = whole.y;
  snapped[to + 2u] = whole.z;
}
