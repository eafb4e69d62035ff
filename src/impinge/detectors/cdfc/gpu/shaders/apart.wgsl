// Whether triangles are certainly apart.
//
// Differences of corners are whole numbers and exact, whatever a compiler does to float32. With S a
// bound on all of them, true and here, u = 2^-23 (WGSL may round up or down): as a float, a
// difference is off by h = 2.02 + uS. A determinant of three of them is then off by 18 h S^2, three
// rows of six products each, and its evaluation in any order by seven roundings of six products,
// 42u S^3: together 36.4 S^2 + 60u S^3.
alias Corners = array<vec3i, 3>;

fn tolerance(size: f32) -> f32 {
  return size * size * (40.0 + 80.0 * 0x1p-23 * size);
}

fn boxes_apart(p: Corners, q: Corners) -> bool {
  let p_low = min(min(p[0], p[1]), p[2]);
  let q_low = min(min(q[0], q[1]), q[2]);
  let p_high = max(max(p[0], p[1]), p[2]);
  let q_high = max(max(q[0], q[1]), q[2]);
  return any(p_low > q_high) || any(q_low > p_high);
}

// By the planes of both and by planes along an edge of each.
fn certainly_apart(p: Corners, q: Corners) -> bool {
  var largest = vec3i(0);
  for (var i = 0; i < 3; i++) {
    largest = max(largest, abs(p[i] - p[(i + 1) % 3]));
    largest = max(largest, abs(q[i] - q[(i + 1) % 3]));
    largest = max(largest, max(abs(q[i] - p[0]), abs(p[i] - q[0])));
  }
  // 2.02 more, for the true ones
  let size = f32(max(max(largest.x, largest.y), largest.z) + 3);
  let error = tolerance(size);
  if (beside(p, q, error) || beside(q, p, error)) { return true; }
  for (var i = 0; i < 3; i++) {
    for (var j = 0; j < 3; j++) {
      if (parted(p, q, vec3f(p[(i + 1) % 3] - p[i]), vec3f(q[(j + 1) % 3] - q[j]), error)) {
        return true;
      }
    }
  }
  return false;
}

// Whether q is on one side of the plane of p.
fn beside(p: Corners, q: Corners, error: f32) -> bool {
  let normal = cross(vec3f(p[1] - p[0]), vec3f(p[2] - p[0]));
  let heights = vec3f(
    dot(normal, vec3f(q[0] - p[0])), dot(normal, vec3f(q[1] - p[0])), dot(normal, vec3f(q[2] - p[0]))
  );
  return all(heights > vec3f(error)) || all(heights < vec3f(-error));
}

// Whether all of p is below all of q, or above, along the normal of two edges.
fn parted(p: Corners, q: Corners, e: vec3f, f: vec3f, error: f32) -> bool {
  let normal = cross(e, f);
  let own = vec2f(dot(normal, vec3f(p[1] - p[0])), dot(normal, vec3f(p[2] - p[0])));
  let low = min(0.0, min(own.x, own.y));
  let high = max(0.0, max(own.x, own.y));
  let heights = vec3f(
    dot(normal, vec3f(q[0] - p[0])), dot(normal, vec3f(q[1] - p[0])), dot(normal, vec3f(q[2] - p[0]))
  );
  // both sides are off, and so is their difference
  let gap = 2.1 * error;
  return min(min(heights.x, heights.y), heights.z) - high > gap ||
    low - max(max(heights.x, heights.y), heights.z) > gap;
}
