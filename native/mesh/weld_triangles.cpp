#include "mesh/weld_triangles.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/lanes.hpp"
#include "geometry/vec.hpp"
#include "mesh/point_hash.hpp"

namespace impinge {
namespace {

constexpr std::size_t kAhead = 16;  // slots asked for before they are looked at

// Numbers of the points seen so far. A slot holds one more than the number of its point.
class Numbering {
 public:
  Numbering(std::vector<double>& points, std::size_t expected)
      : points_(points), slots_(std::bit_ceil(2 * expected + 2)) {}

  void fetch(std::uint64_t h) const { prefetch(&slots_[h & mask()], sizeof(slots_[0])); }

  std::int32_t number(const double* point, std::uint64_t h) {
    for (std::size_t at = h & mask();; at = (at + 1) & mask()) {
      if (slots_[at] == 0) return added(point, at);
      const std::uint32_t here = slots_[at] - 1;
      if (same_point(&points_[3 * std::size_t{here}], point))
        return static_cast<std::int32_t>(here);
    }
  }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  std::int32_t added(const double* point, std::size_t at) {
    points_.insert(points_.end(), point, point + 3);
    const std::size_t count = points_.size() / 3;
    slots_[at] = static_cast<std::uint32_t>(count);
    if (2 * count > slots_.size()) grow();
    return static_cast<std::int32_t>(count - 1);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < points_.size() / 3; ++i) {
      std::size_t at = point_hash(&points_[3 * i]) & mask();
      while (slots_[at] != 0) at = (at + 1) & mask();
      slots_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<double>& points_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

template <class Number>
WeldedMesh weld_triangles(const Number* corners, std::size_t n) {
  WeldedMesh mesh;
  mesh.faces.resize(3 * n);
  // half as many vertices as triangles, in a closed surface; a mesh of loose ones grows
  const std::size_t expected = n / 2 + n / 16;
  mesh.vertices.reserve(3 * expected);
  Numbering numbering(mesh.vertices, expected);
  for (std::size_t begin = 0; begin < 3 * n; begin += kAhead) {
    const std::size_t count = std::min(kAhead, 3 * n - begin);
    std::array<double, 3 * kAhead> points;
    std::array<std::uint64_t, kAhead> hashes;
    std::copy_n(corners + 3 * begin, 3 * count, points.begin());
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = point_hash(&points[3 * i]);
      numbering.fetch(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      mesh.faces[begin + i] = numbering.number(&points[3 * i], hashes[i]);
    }
  }
  return mesh;
}

template WeldedMesh weld_triangles(const float*, std::size_t);
template WeldedMesh weld_triangles(const double*, std::size_t);

}  // namespace impinge
