#include "contact_points/bodies.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"

namespace impinge::contact_points {
namespace {

// Bodies that one thread measures faster than it gets help.
constexpr std::size_t kFew = 16;

}  // namespace

std::vector<Bounds> measure(const std::vector<const Skin*>& bodies, int workers) {
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

std::vector<bool> involved(std::size_t count, const std::vector<BodyPair>& pairs,
                           const std::vector<std::uint32_t>& alone) {
  std::vector<bool> some(count, false);
  for (const BodyPair& p : pairs) some[p.a] = some[p.b] = true;
  for (const std::uint32_t i : alone) some[i] = true;
  return some;
}

void prepare(const std::vector<const Skin*>& bodies, const std::vector<bool>& involved, Along along,
             int workers) {
  std::vector<const Skin*> skins;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (involved[i]) skins.push_back(bodies[i]);
  }
  const bool apart = skins.size() >= static_cast<std::size_t>(workers);
  parallel_for(apart ? workers : 1, skins.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) skins[b]->prepare(along, apart ? 1 : workers);
  });
}

Buffer<PointContact> joined(const std::vector<std::vector<PointContact>>& parts, int workers) {
  std::vector<std::size_t> begins;
  std::size_t end = 0;
  for (const auto& part : parts) {
    begins.push_back(end);
    end += part.size();
  }
  Buffer<PointContact> all;
  all.resize(end);
  parallel_for(workers, parts.size(), kFew, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) std::copy(parts[i].begin(), parts[i].end(), all.data() + begins[i]);
  });
  return all;
}

}  // namespace impinge::contact_points
