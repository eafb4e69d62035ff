#include "contacts/bodies.hpp"

#include <cmath>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

// Bodies that one thread measures faster than it gets help.
constexpr std::size_t kFew = 16;

}  // namespace

std::vector<Bounds> measure(const std::vector<const Shell*>& bodies, int workers) {
  std::vector<Bounds> bounds(bodies.size());
  parallel_for(workers, bodies.size(), kFew, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      bodies[b]->measure();
      bounds[b] = bodies[b]->bounds();
    }
  });
  return bounds;
}

double diagonal_of(const std::vector<Bounds>& bounds) {
  Bounds whole = kNoBounds;
  for (const Bounds& b : bounds) include(whole, b.lo, b.hi);
  if (!(whole.lo[0] <= whole.hi[0])) return 0;
  return std::hypot(whole.hi[0] - whole.lo[0], whole.hi[1] - whole.lo[1],
                    whole.hi[2] - whole.lo[2]);
}

void prepare(const std::vector<const Shell*>& bodies, const std::vector<bool>& involved,
             Along along, int workers) {
  std::vector<const Shell*> shells;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (involved[i]) shells.push_back(bodies[i]);
  }
  const bool apart = shells.size() >= static_cast<std::size_t>(workers);
  parallel_for(apart ? workers : 1, shells.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) shells[b]->prepare(along, apart ? 1 : workers);
  });
}

}  // namespace impinge
