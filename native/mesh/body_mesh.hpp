// The meshes of many bodies, and their vertices or faces in parts of similar size, to be worked on
// side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "geometry/frame.hpp"
#include "geometry/vec.hpp"

namespace impinge {

struct BodyMesh {
  const double* vertices;  // (n, 3)
  std::size_t vertex_count;
  const std::int32_t* faces;  // (m, 3), valid indices
  std::size_t face_count;

  Triangle triangle(std::size_t face) const {
    Triangle t;
    for (int i = 0; i < 3; ++i) {
      std::copy_n(vertices + 3 * std::size_t(faces[3 * face + i]), 3, t.v[i]);
    }
    return t;
  }
};

struct Part {
  std::size_t body, begin, end;
};

inline std::vector<Part> parts_of(const std::vector<BodyMesh>& bodies,
                                  std::size_t BodyMesh::* count) {
  constexpr std::size_t kGrain = 4096;
  std::vector<Part> parts;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (std::size_t begin = 0; begin < bodies[b].*count; begin += kGrain) {
      parts.push_back({b, begin, std::min(begin + kGrain, bodies[b].*count)});
    }
  }
  return parts;
}

// Calls f(index, part).
template <class F>
void for_each_part(const std::vector<Part>& parts, int workers, F&& f) {
  parallel_for(workers, parts.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (; begin < end; ++begin) f(begin, parts[begin]);
  });
}

// Of all vertices that faces use; inside out when there are none.
Bounds bounds_of(const std::vector<BodyMesh>& bodies, int workers);

}  // namespace impinge
