// The corners of what two solids in general position have in common.
#pragma once

#include "solids/overlay.hpp"

namespace impinge::solids {

// Vertices of a surface that are inside the other solid.
template <class F>
void for_each_vertex_inside(const PartInside& part, const PlacedSurface& surface, const F& f) {
  for (const std::int32_t face : part.whole_faces()) {
    const Triangle t = surface.triangle(face);
    for (int k = 0; k < 3; ++k) f(t[k]);
  }
  for (const CutFaceInside& face : part.cut_faces()) {
    const Triangle t = surface.triangle(face.face);
    for (int k = 0; k < 3; ++k) {
      if (face.inside[k]) f(t[k]);
    }
  }
}

// Those, and the places where edges pass faces; each more than once.
template <class F>
void for_each_corner(const Overlay& overlay, const F& f) {
  for (int i = 0; i < 2; ++i) {
    const PartInside& part = overlay.part(i);
    for_each_vertex_inside(part, overlay.surface(i), f);
    for (const CutFaceInside& face : part.cut_faces()) {
      for (const FaceCut& cut : face.cuts) {
        f(cut.tail);
        f(cut.head);
      }
    }
  }
}

}  // namespace impinge::solids
