#include "motion/linear/impacts.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <tuple>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "motion/linear/candidates.hpp"
#include "motion/linear/float_filter.hpp"

namespace impinge::motion {
namespace {

constexpr std::size_t kTasksEach = 64, kItemsPerTask = 4;

struct Meeting {
  std::uint32_t a, b;
  std::unique_ptr<Encounter> encounter;
};

// One that may meet, as in FoundImpact.
struct Candidate {
  FeaturePair pair;
  std::int32_t body[2], ids[4];
};

struct Task {
  const Meeting* of;
  std::size_t begin, end;
};

float above(double x) {
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

// The broad phase: bodies, their swept surfaces in one frame, and what meets what.
class Sweep {
 public:
  Sweep(const std::vector<MovingBody>& bodies, const Encounters& encounters, double separation,
        int workers, ImpactCounters& counters)
      : bodies_(bodies) {
    Stopwatch watch;
    std::vector<Bounds> bounds;
    Bounds all = kNoBounds;
    for (const MovingBody& body : bodies) {
      bounds.push_back(swept_bounds(body, workers));
      include(all, bounds.back().lo, bounds.back().hi);
      bounds.back() = grown(bounds.back(), 0.5 * separation);
    }
    // those without faces stay inside out
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].tree->empty()) bounds[i] = kNoBounds;
    }
    const Frame frame = frame_of(all);
    // Boxes that meet do so in floats; a distance is added, and what rounding takes of it. Where it
    // is wider than the frame, all boxes meet, but for the missing ones.
    constexpr float kWidest = 4;
    const double wide = 1.01 * (separation * frame.scale + 4 * kRounding);
    const float margin = separation > 0 ? std::min(kWidest, above(wide)) : 0;
    std::vector<BodyPair> pairs = broad_phase(bounds, encounters.only, workers);
    for (const std::uint32_t i : encounters.alone) pairs.push_back({i, i});
    std::erase_if(pairs, [&](const BodyPair& p) { return is_still(p.a) && is_still(p.b); });
    surfaces_.resize(bodies.size());
    for (const BodyPair& p : pairs) {
      for (const std::uint32_t i : {p.a, p.b}) {
        if (!surfaces_[i]) {
          surfaces_[i] = std::make_unique<SweptSurface>(bodies[i], frame, workers);
        }
      }
      meetings_.push_back(
          {p.a, p.b, std::make_unique<Encounter>(*surfaces_[p.a], *surfaces_[p.b], margin)});
    }
    counters.body_pairs = pairs.size();
    counters.sweep_seconds = watch.lap();
    list_tasks(workers);
    counters.candidate_seconds = watch.lap();
  }

  // Calls narrow(candidate, worker) for all that may meet.
  template <class Narrow>
  void run(int workers, const Ticker::Callback& tick, ImpactCounters& counters,
           const Narrow& narrow) const {
    std::vector<Counted> counted(static_cast<std::size_t>(workers));
    Ticker ticker(tasks_.size(), tick);
    parallel_for(workers, tasks_.size(), 1, [&](std::size_t t, std::size_t e, int worker) {
      Counted& own = counted[static_cast<std::size_t>(worker)];
      for (; t < e; ++t) {
        const Task& task = tasks_[t];
        Stopwatch watch;
        bool goes_on = ticker.pulse(worker);
        if (!goes_on) return;
        const Encounter& encounter = *task.of->encounter;
        const auto look = [&](const Candidates& candidates) {
          own.counters.candidate_seconds += watch.lap();
          (candidates.pair == FeaturePair::vertex_face ? own.counters.vertex_face
                                                       : own.counters.edge_edge) +=
              candidates.size();
          for (std::size_t i = 0; i < candidates.size(); i += kLanes) {
            for_each_bit(may_meet(encounter, candidates, i), [&](int lane) {
              ++own.counters.undecided;
              narrow(candidate_of(*task.of, candidates, i + std::size_t(lane)), worker);
            });
          }
          own.counters.narrow_seconds += watch.lap();
          return goes_on = ticker.pulse(worker);
        };
        own.counters.leaf_pairs +=
            encounter.descend({encounter.front().data() + task.begin, task.end - task.begin}, look);
        own.counters.candidate_seconds += watch.lap();
        if (!goes_on) return;
        ticker.done(worker);
      }
    });
    for (const Counted& one : counted) {
      counters.leaf_pairs += one.counters.leaf_pairs;
      counters.undecided += one.counters.undecided;
      counters.vertex_face += one.counters.vertex_face;
      counters.edge_edge += one.counters.edge_edge;
      counters.candidate_seconds += one.counters.candidate_seconds;
      counters.narrow_seconds += one.counters.narrow_seconds;
    }
  }

  Ends ends(const Candidate& candidate) const {
    const int first = first_of(candidate.pair);
    Ends ends;
    for (int i = 0; i < 4; ++i) {
      const MovingBody& body = bodies_[std::size_t(candidate.body[i >= first])];
      ends.at[0][i] = body.vertex(candidate.ids[i]);
      ends.at[1][i] = body.goal(candidate.ids[i]);
    }
    return ends;
  }

 private:
  struct alignas(64) Counted {
    ImpactCounters counters;
  };

  // Two edges of one body in one order, whatever the tree is.
  static Candidate candidate_of(const Meeting& meeting, const Candidates& list, std::size_t i) {
    Candidate one{list.pair, {}, {}};
    one.body[list.first_is_b] = static_cast<std::int32_t>(meeting.a);
    one.body[!list.first_is_b] = static_cast<std::int32_t>(meeting.b);
    for (int k = 0; k < 4; ++k) one.ids[k] = list.ids[k][i];
    const bool turns = list.pair == FeaturePair::edge_edge && meeting.a == meeting.b &&
                       std::pair(one.ids[2], one.ids[3]) < std::pair(one.ids[0], one.ids[1]);
    if (turns) std::swap_ranges(one.ids, one.ids + 2, one.ids + 2);
    return one;
  }

  bool is_still(std::uint32_t i) const { return !bodies_[i].moves; }

  void list_tasks(int workers) {
    const std::size_t enough =
        std::max<std::size_t>(1, kTasksEach * kItemsPerTask * static_cast<std::size_t>(workers) /
                                     std::max<std::size_t>(1, meetings_.size()));
    parallel_for(workers, meetings_.size(), 1, [&](std::size_t i, std::size_t e, int) {
      for (; i < e; ++i) meetings_[i].encounter->begin(enough);
    });
    for (const Meeting& meeting : meetings_) {
      const std::size_t n = meeting.encounter->front().size();
      for (std::size_t i = 0; i < n; i += kItemsPerTask) {
        tasks_.push_back({&meeting, i, std::min(n, i + kItemsPerTask)});
      }
    }
  }

  const std::vector<MovingBody>& bodies_;
  std::vector<std::unique_ptr<SweptSurface>> surfaces_;
  std::vector<Meeting> meetings_;
  std::vector<Task> tasks_;
};

bool is_before(const FoundImpact& p, const FoundImpact& q) {
  const auto key = [](const FoundImpact& i) {
    return std::tie(i.impact.time, i.pair, i.body[0], i.body[1], i.ids[0], i.ids[1], i.ids[2],
                    i.ids[3]);
  };
  return key(p) < key(q);
}

}  // namespace

Impacts find_impacts(const std::vector<MovingBody>& bodies, const Encounters& encounters,
                     const Limits& limits, int workers, const Ticker::Callback& tick) {
  Impacts result;
  const Sweep sweep(bodies, encounters, limits.separation, workers, result.counters);
  std::vector<std::vector<FoundImpact>> found(static_cast<std::size_t>(workers));
  sweep.run(workers, tick, result.counters, [&](const Candidate& candidate, int worker) {
    FoundImpact one;
    one.impact = impact_of(candidate.pair, sweep.ends(candidate), limits);
    if (one.impact.time > 1) return;
    one.pair = candidate.pair;
    std::copy_n(candidate.body, 2, one.body);
    std::copy_n(candidate.ids, 4, one.ids);
    found[static_cast<std::size_t>(worker)].push_back(one);
  });
  for (const std::vector<FoundImpact>& some : found) {
    std::copy(some.begin(), some.end(), result.found.grow(some.size()));
    result.found.advance(some.size());
  }
  std::sort(result.found.begin(), result.found.end(), is_before);
  return result;
}

FreeStep find_free_step(const std::vector<MovingBody>& bodies, const Encounters& encounters,
                        const Limits& limits, int workers, const Ticker::Callback& tick) {
  FreeStep result;
  const Sweep sweep(bodies, encounters, limits.separation, workers, result.counters);
  std::atomic<double> free{1.0};
  sweep.run(workers, tick, result.counters, [&](const Candidate& candidate, int) {
    double known = free.load(std::memory_order_relaxed);
    const double time = free_time(candidate.pair, sweep.ends(candidate), limits, known);
    while (time < known && !free.compare_exchange_weak(known, time, std::memory_order_relaxed)) {
    }
  });
  result.time = free.load();
  return result;
}

}  // namespace impinge::motion
