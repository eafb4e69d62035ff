#include "solids/sense.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"
#include "geometry/wide_integer.hpp"
#include "mesh/shells.hpp"

namespace impinge::solids {
namespace {

struct Corners {
  const double* at[3];

  Corners(const bvh::Tree& tree, std::size_t slot) {
    const auto& id = tree.corners(slot / kLanes).id;
    for (int k = 0; k < 3; ++k) at[k] = tree.vertex(id[k][slot % kLanes]);
  }
  bool have_area() const { return has_area(at[0], at[1], at[2]); }
  const double* last() const {
    return *std::max_element(at, at + 3,
                             [](const double* p, const double* q) { return before(p, q); });
  }
};

// Of all doubles of the mesh that are not zero.
int least_exponent(const bvh::Tree& tree) {
  int exponent = 0;
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    for (const double* v : Corners(tree, slot).at) {
      for (int k = 0; k < 3; ++k) {
        if (v[k] != 0) exponent = std::min(exponent, unit_exponent(v[k]));
      }
    }
  }
  return exponent;
}

int exact_volume_sign(const bvh::Tree& tree) {
  const int exponent = least_exponent(tree);
  WideInteger sum;
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    const Corners face(tree, slot);
    if (!face.have_area()) continue;
    WideInteger v[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) v[i][k] = wide_integer(face.at[i][k], exponent);
    }
    for (int k = 0; k < 3; ++k) {
      const int x = k == 2 ? 0 : k + 1, y = k == 0 ? 2 : k - 1;
      sum = sum + (v[1][x] * v[2][y] - v[1][y] * v[2][x]) * v[0][k];
    }
  }
  return sign(sum);
}

// The last corner of each shell; faces without an area have no sides.
std::vector<const double*> last_corners(const bvh::Tree& tree) {
  const auto shells = shells_of(tree.corners(), tree.face_count());
  std::vector<const double*> last(shells.size(), nullptr);
  for (std::size_t slot = 0; slot < shells.size(); ++slot) {
    const Corners face(tree, slot);
    const double*& so_far = last[shells[slot]];
    if (face.have_area() && (!so_far || before(so_far, face.last()))) so_far = face.last();
  }
  last.erase(std::remove(last.begin(), last.end(), nullptr), last.end());
  return last;
}

}  // namespace

// Six times the volume is the sum of determinants of all faces. Their roundings are bounded one by
// one, and that of m sums by m 2^-53 of the sum of sizes.
int volume_sign(const bvh::Tree& tree) {
  double sum = 0, bound = 0, size = 0;
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    const Corners face(tree, slot);
    const Estimate e = estimate3d(face.at[0], face.at[1], face.at[2], tree.frame().centre);
    sum += e.value;
    bound += e.bound;
    size += std::abs(e.value);
  }
  bound = 1.01 * (bound + 0x1p-53 * static_cast<double>(tree.face_count()) * size);
  if (sum > bound) return 1;
  if (sum < -bound) return -1;
  return exact_volume_sign(tree);
}

Sense sense_of(const bvh::Tree& tree) {
  if (tree.empty() || volume_sign(tree) >= 0) return Sense::as_given;
  for (const double* corner : last_corners(tree)) {
    if (winding_range(tree, corner).most > 0) return Sense::as_given;
  }
  return Sense::turned;
}

}  // namespace impinge::solids
