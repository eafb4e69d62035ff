// What kind of boundary a closed surface is.
//
// The solid is where the winding number is above 0. A surface is simple when no two faces meet in
// more than what they share; then the winding number is the same all over the front of a shell, and
// a shell bounds the solid if that number is 0. Other surfaces are tangled.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "pairs/pair_key.hpp"
#include "solids/placed_surface.hpp"

namespace impinge::solids {

struct Judgement {
  bool is_simple = false;
  // Simple, and so by floats alone: it stays so when vertices move by up to kSlack in the frame of
  // the tree, and nothing else changes, since all surfaces in between are simple too.
  bool is_sturdy = false;
  // No winding number is above 0: the solid is where it is below 0, all faces turned around.
  bool is_turned = false;
  // All winding numbers are 0: there is no solid at all.
  bool is_empty = false;
  // The winding number is somewhere neither 0 nor 1: shells that overlap.
  bool overlaps_itself = false;
  std::vector<std::uint8_t> shell_bounds;  // of each shell of a simple surface
  Buffer<Key> own_pairs;                   // faces that meet in more than what they share
};

// In the frame of a tree, where coordinates are below 1.
constexpr float kSlack = 1e-7f;

Judgement judge(const PlacedSurface& surface, int workers);

}  // namespace impinge::solids
