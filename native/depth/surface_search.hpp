// How far the surfaces of two solids reach into each other.
//
// The greatest bounds are looked at first, some at a time, and split: a triangle over several faces
// of the other surface along the sides of one of them, since over one plane the bound is the truth.
#pragma once

#include <vector>

#include "depth/surface_look.hpp"

namespace impinge::depth {

class SurfaceSearch {
 public:
  SurfaceSearch(const DistanceTo& a, const DistanceTo& b, Bracket& bracket, int workers)
      : to_{&a, &b}, bracket_(bracket), workers_(workers) {}

  // The parts of surfaces that are inside the other solid; the pieces are those of cut faces.
  void add(const solids::Overlay& overlay, const solids::Pieces& pieces);
  // All of them within a box, when it is not known which parts are inside.
  void add_all(const Bounds& within);

  // What is found is the same for any number of workers.
  void run();

 private:
  SurfaceLook new_look() const { return {parts_, *to_[0], *to_[1], bracket_}; }
  void look_into(const std::vector<SurfaceItem>& items);
  void take(const SurfaceLook& look);
  void push(const SurfaceItem& item);
  SurfaceItem pop();
  void mark(int surface, const std::vector<std::int32_t>& faces);
  const bvh::Tree& tree_of(int surface) const { return to_[surface]->searched(parts_.is_cut); }

  const DistanceTo* to_[2];
  Bracket& bracket_;
  const int workers_;
  SurfaceParts parts_;
  std::vector<SurfaceItem> heap_;
  std::size_t looks_ = 0, splits_ = 0;
};

}  // namespace impinge::depth
