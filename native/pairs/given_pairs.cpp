#include "pairs/given_pairs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/sum.hpp"
#include "pairs/findings.hpp"

namespace impinge {
namespace {

constexpr std::size_t kPiece = 4096;  // pairs of one task

void put(const Soup& soup, std::int32_t triangle, Triangles8& to, std::size_t lane) {
  to.id[lane] = static_cast<std::uint32_t>(triangle);
  for (int k = 0; k < 3; ++k) to.corner[k][lane] = soup.corners(to.id[lane])[k];
}

}  // namespace

Buffer<Key> collide_given(const SoupQuery& query, const std::int32_t* pairs, std::size_t n,
                          int workers, const Ticker::Callback& tick, Tally& tally) {
  Findings findings(workers);
  std::vector<std::unique_ptr<SoupPairs>> each(static_cast<std::size_t>(std::max(1, workers)));
  const auto of = [&](int worker) -> SoupPairs& {
    auto& one = each[static_cast<std::size_t>(worker)];
    if (!one) one = std::make_unique<SoupPairs>(query, findings[worker].keys);
    return *one;
  };
  Ticker ticker((n + kPiece - 1) / kPiece, tick);
  parallel_for(workers, n, kPiece, [&](std::size_t begin, std::size_t end, int worker) {
    Triangles8 a{}, b{};
    for (; begin < end; begin += kLanes) {
      const std::size_t count = std::min<std::size_t>(kLanes, end - begin);
      for (std::size_t lane = 0; lane < count; ++lane) {
        put(query.soup, pairs[2 * (begin + lane)], a, lane);
        put(query.soup, pairs[2 * (begin + lane) + 1], b, lane);
      }
      of(worker).add(a, b, static_cast<int>(count));
    }
    of(worker).finish();
    ticker.done(worker);
  });
  test_soup_neighbours(query, workers, tick, of);
  for (const auto& one : each) {
    if (one) tally = sum(tally, one->tally);
  }
  return findings.together();
}

}  // namespace impinge
