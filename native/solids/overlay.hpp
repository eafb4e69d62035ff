// Two solids laid over each other, in general position: the boundary of what they have in common
// are the parts of each surface that are inside the other solid.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "solids/part_inside.hpp"
#include "solids/solid.hpp"

namespace impinge::solids {

class Overlay {
 public:
  // Solids with winding numbers 0 and 1 only. Keeps both.
  Overlay(const PlacedSolid& a, const PlacedSolid& b, int workers, const Ticker::Callback& tick);
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  const PlacedSurface& surface(int i) const { return *surface_[i]; }
  const PartInside& part(int i) const { return *part_[i]; }
  // All meeting pairs of faces; ids of those of b come behind those of a.
  const Buffer<Key>& keys() const { return keys_; }

  // Two faces that cross.
  struct Crossing {
    std::int32_t a, b;
    PairCut cut;
  };
  const std::vector<Crossing>& crossings() const { return crossings_; }

 private:
  void cut_pairs(int workers);

  const PlacedSurface* surface_[2];
  Buffer<Key> keys_;
  std::vector<Crossing> crossings_;
  std::vector<FaceCut> cuts_[2];
  std::optional<PartInside> part_[2];
};

}  // namespace impinge::solids
