#include "mesh/shells.hpp"

#include <algorithm>
#include <numeric>

namespace impinge {
namespace {

// Sets of numbers that are joined one by one.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::int32_t root(std::int32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::int32_t x, std::int32_t y) {
    x = root(x);
    y = root(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::int32_t> parent_;
};

struct Use {
  std::int32_t low, high, slot;
  bool upward;

  bool is_same_edge(const Use& other) const { return low == other.low && high == other.high; }
};

// Of faces with three different corners.
std::vector<Use> uses_of(std::span<const Corners8> faces, std::size_t m) {
  std::vector<Use> uses;
  uses.reserve(3 * m);
  for (std::size_t slot = 0; slot < m; ++slot) {
    const auto& id = faces[slot / kLanes].id;
    const std::size_t lane = slot % kLanes;
    if (id[0][lane] == id[1][lane] || id[1][lane] == id[2][lane] || id[2][lane] == id[0][lane]) {
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = id[k][lane], b = id[k == 2 ? 0 : k + 1][lane];
      uses.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(slot), a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const Use& x, const Use& y) {
    return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.slot < y.slot;
  });
  return uses;
}

}  // namespace

std::vector<std::int32_t> shells_of(std::span<const Corners8> faces, std::size_t m) {
  const std::vector<Use> uses = uses_of(faces, m);
  Sets sets(m);
  for (auto use = uses.begin(); use != uses.end();) {
    const auto end =
        std::find_if_not(use, uses.end(), [&](const Use& u) { return u.is_same_edge(*use); });
    if (end - use == 2 && use[0].upward != use[1].upward) sets.join(use[0].slot, use[1].slot);
    use = end;
  }
  std::vector<std::int32_t> shells(m);
  for (std::size_t slot = 0; slot < m; ++slot)
    shells[slot] = sets.root(static_cast<std::int32_t>(slot));
  return shells;
}

}  // namespace impinge
