#include "bvh/distance/distance_configurations.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "base/pool.hpp"
#include "bvh/distance/distance_worker.hpp"

namespace impinge::bvh {
namespace {

// One configuration after the other. Belongs to one thread.
class Measuring {
 public:
  Measuring(const Asked& asked, double upper_bound, Ticker& ticker, int worker)
      : asked_(asked),
        upper_bound_(upper_bound),
        ticker_(ticker),
        worker_(worker),
        placed_(asked, upper_bound) {}

  PairDistances operator()(std::size_t configuration) {
    placed_.place(configuration);
    placed_.near_pairs(asked_.moving_pairs(), near_);
    PairDistances found;
    for (const BodyPair& p : near_) {
      // What was closest last time is close now. No answer depends on where a search begins.
      Faces& hint = hints_[p];
      const Closest closest =
          searcher_.search(placed_[p.a], placed_[p.b], upper_bound_, hint.ids, ticker_, worker_);
      if (closest.face_a < 0) continue;
      hint = {{closest.face_a, closest.face_b}};
      found.pairs.push_back(p);
      found.closest.push_back(closest);
    }
    return found;
  }

 private:
  struct Faces {
    std::int32_t ids[2]{-1, -1};
  };

  const Asked& asked_;
  const double upper_bound_;
  Ticker& ticker_;
  const int worker_;
  PlacedBodies placed_;
  DistanceWorker searcher_;
  std::vector<BodyPair> near_;
  std::map<BodyPair, Faces> hints_;
};

// Both are sorted, and no pair is in both.
void append_merged(const PairDistances& a, const PairDistances& b, ConfigurationDistances& to) {
  std::size_t i = 0, j = 0;
  const auto take = [&to](const PairDistances& from, std::size_t& next) {
    to.pairs.push_back(from.pairs[next]);
    to.closest.push_back(from.closest[next++]);
  };
  while (i < a.pairs.size() || j < b.pairs.size()) {
    const bool first = j == b.pairs.size() || (i < a.pairs.size() && a.pairs[i] < b.pairs[j]);
    first ? take(a, i) : take(b, j);
  }
  to.run_ends.push_back(to.pairs.size());
}

}  // namespace

ConfigurationDistances distance_configurations(const Asked& asked, double upper_bound, int workers,
                                               const Ticker::Callback& tick) {
  const std::size_t count = asked.configurations().count;
  ConfigurationDistances result;
  if (count == 0) return result;
  asked.expect(workers);
  const std::vector<BodyPair> resting_pairs = asked.resting_pairs(upper_bound, workers);
  const PairDistances resting =
      distance_pairs(asked.bodies(), &resting_pairs, upper_bound, workers, silent(tick));
  std::vector<PairDistances> found(count);
  std::vector<std::unique_ptr<Measuring>> each(static_cast<std::size_t>(workers));
  Ticker ticker(count, tick);
  constexpr std::size_t kGrain = 4;
  parallel_for(workers, count, kGrain, [&](std::size_t i, std::size_t end, int worker) {
    std::unique_ptr<Measuring>& own = each[static_cast<std::size_t>(worker)];
    if (!own) own = std::make_unique<Measuring>(asked, upper_bound, ticker, worker);
    for (; i < end; ++i) {
      found[i] = (*own)(i);
      ticker.done(worker);
    }
  });
  for (const PairDistances& own : found) append_merged(own, resting, result);
  return result;
}

}  // namespace impinge::bvh
