#include "solids/rings.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/pool.hpp"
#include "geometry/orient.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kVertexGrain = 4096;

// A side at the lower of its two vertices.
struct Use {
  std::int32_t higher;
  std::uint32_t side;
  bool operator<(const Use& other) const {
    return higher != other.higher ? higher < other.higher : side < other.side;
  }
};

}  // namespace

Rings::Rings(const bvh::Tree& tree, int workers) {
  read_corners(tree);
  link(tree.vertex_count(), workers);
  find_shells(tree);
}

void Rings::read_corners(const bvh::Tree& tree) {
  corners_.resize(3 * tree.face_count());
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    const Corners8& from = tree.corners(slot / kLanes);
    std::int32_t* to = corners_.data() + 3 * std::size_t(tree.face_of(slot));
    for (int k = 0; k < 3; ++k) to[k] = from.id[k][slot % kLanes];
  }
}

void Rings::link(std::size_t vertices, int workers) {
  const std::size_t sides = corners_.size();
  next_.resize(sides);
  std::iota(next_.begin(), next_.end(), 0u);
  std::vector<std::uint32_t> starts(vertices + 1, 0);
  const auto for_each_side = [&](const auto& f) {
    for (std::size_t face = 0; face < faces(); ++face) {
      if (is_void(face)) continue;
      for (int k = 0; k < 3; ++k) f(static_cast<std::uint32_t>(3 * face) + k);
    }
  };
  const auto lower = [&](std::uint32_t side) { return std::min(from(side), to(side)); };
  for_each_side([&](std::uint32_t side) { ++starts[std::size_t(lower(side)) + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> free(starts.begin(), starts.end() - 1);
  std::vector<Use> uses(starts.back());
  for_each_side([&](std::uint32_t side) {
    uses[free[lower(side)]++] = {std::max(from(side), to(side)), side};
  });
  std::atomic<std::size_t> open{0};
  parallel_for(workers, vertices, kVertexGrain, [&](std::size_t v, std::size_t end, int) {
    for (; v < end; ++v) {
      Use* const first = uses.data() + starts[v];
      Use* const last = uses.data() + starts[v + 1];
      std::sort(first, last);
      for (Use* run = first; run != last;) {
        Use* stop = run;
        int rising = 0;
        for (; stop != last && stop->higher == run->higher; ++stop) {
          rising += from(stop->side) == static_cast<std::int32_t>(v) ? 1 : -1;
          next_[stop->side] =
              stop + 1 != last && stop[1].higher == run->higher ? stop[1].side : run->side;
        }
        if (rising != 0) open.fetch_add(1, std::memory_order_relaxed);
        run = stop;
      }
    }
  });
  open_edges_ = open;
}

void Rings::find_shells(const bvh::Tree& tree) {
  const auto has_area = [&](std::size_t face) {
    const std::int32_t* id = corners(face);
    const double *a = tree.vertex(id[0]), *b = tree.vertex(id[1]), *c = tree.vertex(id[2]);
    return orient2d(a, b, c, 0) || orient2d(a, b, c, 1) || orient2d(a, b, c, 2);
  };
  shell_.assign(faces(), -1);
  std::vector<std::uint32_t> open;
  for (std::size_t seed = 0; seed < faces(); ++seed) {
    if (shell_[seed] >= 0 || !has_area(seed)) continue;
    const auto shell = static_cast<std::int32_t>(first_of_shell_.size());
    first_of_shell_.push_back(static_cast<std::int32_t>(seed));
    shell_[seed] = shell;
    open.push_back(static_cast<std::uint32_t>(seed));
    while (!open.empty()) {
      const std::uint32_t face = open.back();
      open.pop_back();
      for (std::uint32_t side = 3 * face; side < 3 * face + 3; ++side) {
        const std::uint32_t other = next_[side];
        if (next_[other] != side || shell_[other / 3] >= 0 || !has_area(other / 3)) continue;
        shell_[other / 3] = shell;
        open.push_back(other / 3);
      }
    }
  }
}

}  // namespace impinge::solids
