// Solids whose surfaces may meet themselves in any way: shells that are glued to each other, that
// overlap or cross, faces that lie on each other.
//
// Every face is cut by all faces it meets, of its own solid and of the other. Next to each part of
// a cut the winding numbers of both solids are counted exactly, and so is what kind of piece each
// face there is. Slow, but it takes nothing for granted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/buffer.hpp"
#include "pairs/pair_key.hpp"
#include "solids/face_cuts.hpp"
#include "solids/piece_kinds.hpp"
#include "solids/placed_surface.hpp"
#include "solids/solid_at_point.hpp"

namespace impinge::solids {

class Tangle {
 public:
  // Surfaces of one solid or two.
  explicit Tangle(std::vector<const PlacedSurface*> surfaces);

  // Faces that meet; ids count through the solids.
  void add_pairs(const Buffer<Key>& keys, std::uint32_t offset = 0);

  void run();

  PieceKinds kinds() const { return kinds_; }
  // Whether two solids have a point in common, when they have no inner points in common.
  bool touch();
  // Of the winding numbers of a solid.
  int least(int solid) const { return least_[solid]; }
  int most(int solid) const { return most_[solid]; }

 private:
  struct Link {
    std::uint32_t id, other;
    auto operator<=>(const Link&) const = default;
  };
  int solid_of(std::uint32_t id) const { return id < first_[1] ? 0 : 1; }
  std::int32_t face_of(std::uint32_t id) const {
    return static_cast<std::int32_t>(id - first_[solid_of(id)]);
  }
  const CutFace* cut_face(std::uint32_t id);  // null without area

  bool is_settled() const;
  bool meets_other(std::uint32_t id) const;
  void look_along(std::uint32_t id);
  void look_around(const CutFace& face, const std::vector<const CutFace*>& others,
                   const Place& place);
  std::vector<const CutFace*> others_of(std::uint32_t id);
  // Faces of the other solid with a common point; those that have `point` on them.
  std::vector<const CutFace*> there(std::uint32_t id, const ExactPoint& point);
  // Whether both solids have a point of the face that was not looked at before.
  bool both_have(const CutFace& face, const ExactPoint& point);
  void add_shells();
  void add_shell(std::size_t solid, std::int32_t face, const Triangle& t);
  void note(const std::array<int, 2>& before, const std::array<int, 2>& jump);

  const std::vector<const PlacedSurface*> surfaces_;
  std::uint32_t first_[3];    // ids of each solid, and behind the last
  std::vector<Link> links_;   // faces that meet in more than a point, both ways
  std::vector<Link> common_;  // faces of one solid and the other that meet, both ways
  std::deque<CutFace> faces_;
  std::map<std::uint32_t, const CutFace*> by_id_;
  std::vector<char> cut_shells_[2];
  PieceKinds kinds_;
  bool touch_ = false;
  ExactPoints looked_at_;
  int least_[2] = {0, 0}, most_[2] = {0, 0};
};

}  // namespace impinge::solids
