// The part of one surface that is inside another solid, in general position: whole faces, and faces
// that are cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solids/pair_cut.hpp"
#include "solids/placed_surface.hpp"

namespace impinge::solids {

// A segment on a face, with the other solid on the left of it. An edge of the face that ends it is
// 0 to 2, from that corner to the next: at the tail it leaves the other solid, at the head it
// enters.
struct FaceCut {
  std::int32_t face;
  std::int8_t tail_edge, head_edge;  // -1: an edge of the other surface
  const double *tail, *head;
  std::uint32_t crossing;  // of which it is
  bool reversed;           // the tail here is the head there
};

// A face with cuts, and which of its corners are inside.
struct CutFaceInside {
  std::int32_t face;
  std::span<const FaceCut> cuts;
  bool inside[3];
};

class PartInside {
 public:
  // `cuts` are sorted by face and kept. `way` is 1 for the surface that is moved and -1 for the one
  // at rest. Winding numbers of the other surface are 0 and 1.
  PartInside(const PlacedSurface& own, const PlacedSurface& other, std::span<const FaceCut> cuts,
             int way);

  const std::vector<CutFaceInside>& cut_faces() const { return cut_; }
  const std::vector<std::int32_t>& whole_faces() const { return whole_; }
  // Whether a face is wholly outside.
  bool is_outside(std::int32_t face) const {
    return !seen_[face] && !own_.rings().is_void(static_cast<std::size_t>(face));
  }

 private:
  void group(std::span<const FaceCut> cuts);
  void find_corners();
  void flood();
  void flood_from(std::uint32_t side);
  bool is_inside(std::int32_t vertex) const;

  const PlacedSurface &own_, &other_;
  const int way_;
  std::vector<CutFaceInside> cut_;
  std::vector<std::int32_t> whole_;
  std::vector<char> seen_;  // faces that are cut or whole
  std::vector<std::int32_t> open_;
};

}  // namespace impinge::solids
