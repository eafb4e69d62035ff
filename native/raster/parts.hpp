// The vertices or faces of many bodies in parts of similar size, to be worked on side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/pool.hpp"

namespace impinge {

struct BodyMesh {
  const double* vertices;  // (n, 3)
  std::size_t vertex_count;
  const std::int32_t* faces;  // (m, 3), valid indices
  std::size_t face_count;
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

}  // namespace impinge
