// The first contact of two bodies in a piece of time.
//
// Conservative advancement of pairs of nodes instead of whole bodies: each pair carries the time
// until which it is certainly apart, and the one with the earliest is looked at next. It is
// advanced where that gains much, else replaced by the pairs of its children, and triangles are
// advanced in float64. So nothing is refined that stays apart until the first contact, and the
// first pair of triangles that can get no farther is the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "boxes/front.hpp"
#include "motion/rigid/moment.hpp"
#include "motion/rigid/triangle_step.hpp"

namespace impinge::motion {

// When triangles count as in contact: when the gap is less than `stop` and they cannot be shown to
// part again in a few steps, or less than the floor of the clearance.
struct Limits {
  double stop;
  Clearance clearance;
};

struct SearchCounters {
  std::uint64_t node_pairs = 0, node_steps = 0, leaf_pairs = 0, triangle_steps = 0;
};

// The pair of triangles that is in contact first, and its last step.
struct FirstContact {
  double share;
  std::int32_t face_a, face_b;
  TriangleStep step;
};

// Belongs to one thread; memory is kept from search to search.
class Search {
 public:
  // Before `until`, a share of the piece; nothing when they are apart until then.
  std::optional<FirstContact> run(const bvh::Tree& a, const bvh::Tree& b, const Piece& piece,
                                  const Limits& limits, double until, Ticker& ticker, int worker);
  const SearchCounters& counters() const { return counters_; }

 private:
  // Two nodes, or two triangles, and the share until which they are apart. `steps` are those of
  // triangles that are nearer than `stop`.
  struct Entry {
    double share;
    Item item;
    std::int16_t level_a, level_b;
    std::uint32_t steps;
    bool operator<(const Entry& other) const;
  };
  static constexpr std::int16_t kTriangles = -1;
  // Of nodes that cannot be advanced at the share they have.
  static constexpr std::uint32_t kStuck = ~0u;

  const Moment& moment(double share);
  void push(const Entry& entry);
  bool step_nodes(const Entry& entry);
  void expand(const Entry& entry);
  void pair_leaves(const Entry& entry);
  std::optional<FirstContact> step_triangles(const Entry& entry);

  const bvh::Tree *a_ = nullptr, *b_ = nullptr;
  const Piece* piece_ = nullptr;
  const Limits* limits_ = nullptr;
  double until_ = 0;
  std::vector<Entry> heap_;
  std::optional<Moment> moment_;
  SearchCounters counters_;
};

}  // namespace impinge::motion
