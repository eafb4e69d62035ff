// An order of rays in which neighbours take nearly the same way through a mesh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

// What rays of one packet have in common, a heading: a bit for each negative component, which tells
// the sides of a box that are passed first, and the axis of the largest one.
struct KeyedRay {
  static constexpr int kPlaceBits = 27;  // below the heading

  std::uint32_t key;
  std::int32_t id;

  unsigned heading() const { return key >> kPlaceBits; }
  int axis() const { return static_cast<int>(heading() >> 3); }
};

// All rays: by heading, then by where they start or pass the centre of the mesh and by direction.
// Throws std::invalid_argument for a coordinate that is not finite or beyond 1e100, and for a
// direction that is zero.
Buffer<KeyedRay> order_rays(const Frame& frame, const double* origins, const double* directions,
                            std::size_t count, int workers);

}  // namespace impinge::bvh
