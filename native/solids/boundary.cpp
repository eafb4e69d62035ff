#include "solids/boundary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/groups.hpp"
#include "base/pool.hpp"
#include "bvh/tree/placed_tree.hpp"
#include "geometry/orient.hpp"
#include "mesh/shells.hpp"
#include "solids/column.hpp"
#include "solids/face_pieces.hpp"
#include "solids/sectors.hpp"
#include "solids/surroundings.hpp"

namespace impinge::solids {
namespace {

// Of each face the others that it meets along more than a point, but for what they share.
Groups find_cutters(const bvh::Tree& tree, const Buffer<Key>& own_pairs) {
  return Groups(tree.face_count(), [&](const auto& f) {
    for (const Key key : own_pairs) {
      if (key_kind(key) == Kind::point) continue;
      const auto a = static_cast<std::int32_t>(key_a(key));
      const auto b = static_cast<std::int32_t>(key_b(key));
      f(a, b);
      f(b, a);
    }
  });
}

// What counts of each slot of a tree. A face that others cut is looked at in parts. Where a face is
// not cut the winding number on each side of it is one, and it is that of the neighbour across an
// edge that no others use: any face that passes there would cut both. So one face of a shell
// decides for all.
class Shares {
 public:
  Shares(const bvh::Tree& tree, const Buffer<Key>& own_pairs, Sense sense, Boundary::Cut cut,
         int workers)
      : tree_(tree),
        sense_(sense),
        axis_(best_axis(tree_.boxes())),
        workers_(workers),
        cutters_(find_cutters(tree, own_pairs)),
        counts_(tree_.face_count(), 0),
        pieces_(tree_.face_count()) {
    judge_shells();
    if (cut == Boundary::Cut::in_parts) {
      judge_parts();
    } else {
      take_cut_faces();
    }
  }

  bool are_all() const {
    return std::all_of(counts_.begin(), counts_.end(), [](char counts) { return counts != 0; });
  }
  std::vector<Triangle> triangles() const {
    std::vector<Triangle> all;
    for (std::size_t slot = 0; slot < counts_.size(); ++slot) {
      if (counts_[slot]) all.push_back(triangle(slot));
      all.insert(all.end(), pieces_[slot].begin(), pieces_[slot].end());
    }
    return all;
  }
  // The corners of the whole faces that count.
  std::vector<std::int32_t> faces() const {
    std::vector<std::int32_t> all;
    for (std::size_t slot = 0; slot < counts_.size(); ++slot) {
      if (!counts_[slot]) continue;
      const auto& id = tree_.corners(slot / kLanes).id;
      for (int k = 0; k < 3; ++k) all.push_back(id[k][slot % kLanes]);
    }
    return all;
  }

 private:
  void judge_shells() {
    const std::size_t n = counts_.size();
    std::vector<bool> apart(n);
    for (std::size_t slot = 0; slot < n; ++slot) apart[slot] = !has_area(slot) || is_cut(slot);
    const auto shells = shells_of(tree_.corners(), n, tree_.vertex_count(), apart);
    std::vector<std::int32_t> firsts;
    for (std::size_t slot = 0; slot < n; ++slot) {
      if (!apart[slot] && std::size_t(shells[slot]) == slot) firsts.push_back(shells[slot]);
    }
    parallel_for(workers_, firsts.size(), 16, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) counts_[firsts[b]] = bounds_at_corner(std::size_t(firsts[b]));
    });
    for (std::size_t slot = 0; slot < n; ++slot) {
      if (!apart[slot]) counts_[slot] = counts_[shells[slot]];
    }
  }

  void judge_parts() {
    parallel_for(workers_, counts_.size(), 64, [&](std::size_t slot, std::size_t end, int) {
      for (; slot < end; ++slot) {
        if (!is_cut(slot) || !has_area(slot)) continue;
        pieces_[slot] = boundary_pieces(tree_, slot, cutters_[tree_.face_of(slot)], sense_, axis_);
      }
    });
  }

  void take_cut_faces() {
    for (std::size_t slot = 0; slot < counts_.size(); ++slot) {
      if (is_cut(slot) && has_area(slot)) counts_[slot] = 1;
    }
  }

  bool is_cut(std::size_t slot) const { return !cutters_[tree_.face_of(slot)].empty(); }
  bool has_area(std::size_t slot) const {
    const Triangle t = triangle(slot);
    return impinge::has_area(t[0], t[1], t[2]);
  }
  Triangle triangle(std::size_t slot) const {
    return bvh::PlacedTree{&tree_, Pose()}.triangle(slot);
  }

  bool bounds_at_corner(std::size_t slot) const {
    const auto& id = tree_.corners(slot / kLanes).id;
    const double* corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = tree_.vertex(id[k][slot % kLanes]);
    const SkewRay ray{corner[0], axis_};
    const Surroundings around(tree_, ray);
    const auto itself = std::find_if(
        around.faces.begin(), around.faces.end(),
        [&](const FaceAt& face) { return std::equal(face.corner, face.corner + 3, corner); });
    const BothSides beside = windings_beside(ray, around.faces, around.others, *itself);
    return is_solid(beside.front, sense_) != is_solid(beside.back, sense_);
  }

  const bvh::Tree& tree_;
  const Sense sense_;
  const int axis_, workers_;
  const Groups cutters_;
  std::vector<char> counts_;  // whole faces, by slot
  std::vector<std::vector<Triangle>> pieces_;
};

std::vector<std::int32_t> numbers_below(std::size_t n) {
  std::vector<std::int32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

Boundary::Triangles::Triangles(std::vector<Triangle> some, int workers)
    : triangles(std::move(some)),
      faces(numbers_below(3 * triangles.size())),
      tree(triangles.empty() ? nullptr : triangles[0][0], 3 * triangles.size(), faces.data(),
           triangles.size(), workers) {}

Boundary::Triangles::Triangles(const bvh::Tree& mesh, std::vector<std::int32_t> some, int workers)
    : faces(std::move(some)),
      tree(mesh.vertex(0), mesh.vertex_count(), faces.data(), faces.size() / 3, workers) {}

Boundary::Boundary(const bvh::Tree& tree, const Buffer<Key>& own_pairs, Sense sense, int workers,
                   Cut cut)
    : mesh_(tree), sense_(sense) {
  if (mesh_.empty()) return;
  const Shares shares(tree, own_pairs, sense, cut, workers);
  if (shares.are_all()) return;
  if (cut == Cut::whole) {
    own_ = std::make_unique<const Triangles>(mesh_, shares.faces(), workers);
  } else {
    own_ = std::make_unique<const Triangles>(shares.triangles(), workers);
  }
}

}  // namespace impinge::solids
