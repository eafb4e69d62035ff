// Which faces of a closed mesh bound its solid.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/tree/tree.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

// Found out when asked, and kept. Safe from many threads.
class Boundary {
 public:
  Boundary(const bvh::Tree& tree, Sense sense);

  // Whether a face has solid on one side only. False for a face with the same on both sides, all of
  // it, and for one without area. A face that others cut is not looked at in parts: it bounds the
  // solid if it does at a corner, or could elsewhere.
  bool has(std::size_t slot) const {
    const Known known = known_[slot].load(std::memory_order_relaxed);
    return known == Known::unknown ? find_out(slot) : known == Known::yes;
  }

 private:
  enum class Known : std::uint8_t { unknown, yes, no };

  bool find_out(std::size_t slot) const;
  bool bounds_at_corner(std::size_t slot) const;
  bool is_cut(std::size_t slot) const;

  const bvh::Tree& tree_;
  const Sense sense_;
  const int axis_;
  mutable std::vector<std::atomic<Known>> known_;
};

}  // namespace impinge::solids
