#include "cdfc/listed.hpp"

#include <algorithm>
#include <memory>

#include "bvh/sort.hpp"
#include "cdfc/judge.hpp"
#include "cdfc/neighbours.hpp"
#include "parallel/pool.hpp"

namespace impinge::cdfc {
namespace {

constexpr std::size_t kPiece = 4096;  // pairs of one task

void put(const Soup& soup, std::int32_t triangle, Triangles8& to, std::size_t lane) {
  to.id[lane] = static_cast<std::uint32_t>(triangle);
  for (int k = 0; k < 3; ++k) to.corner[k][lane] = soup.corners(to.id[lane])[k];
}

}  // namespace

std::vector<Key> collide_listed(const Query& query, const std::int32_t* pairs, std::size_t n,
                                int workers, const Ticker::Callback& tick, Counters& counters) {
  std::vector<std::unique_ptr<Judge>> judges(static_cast<std::size_t>(std::max(1, workers)));
  const auto judge = [&](int worker) -> Judge& {
    auto& one = judges[worker];
    if (!one) one = std::make_unique<Judge>(query);
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
      judge(worker).add(a, b, static_cast<int>(count));
    }
    judge(worker).finish();
    ticker.done(worker);
  });
  std::vector<std::uint64_t> star_tests(judges.size(), 0);
  test_fans(query, workers, tick, [&](int worker, std::uint32_t p, std::uint32_t q) {
    judge(worker).decide(p, q);
    ++star_tests[worker];
  });

  std::vector<Key> keys;
  for (std::size_t worker = 0; worker < judges.size(); ++worker) {
    counters.star_tests += star_tests[worker];
    if (!judges[worker]) continue;
    const Judge& one = *judges[worker];
    keys.insert(keys.end(), one.keys.begin(), one.keys.end());
    counters.tests += one.tests;
    counters.uncertain += one.uncertain;
  }
  std::vector<Key> spare;
  sort_keys(keys.data(), keys.size(), kIdBits + 3, spare);
  return keys;
}

}  // namespace impinge::cdfc
