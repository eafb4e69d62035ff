#include "contact_points/proximity.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "contact_points/bodies.hpp"
#include "contact_points/feature_pairs.hpp"
#include "contact_points/near_faces.hpp"

namespace impinge::contact_points {
namespace {

constexpr std::size_t kLeafPairsPerTask = 64;

// Two bodies, or one twice.
struct Encounter {
  FeatureSide a, b;
  std::unique_ptr<NearFaces> near;
  Buffer<Item> leaves;
};

struct Task {
  const Encounter* met;
  std::size_t begin, end;
};

// What contacts are sorted by, and where they are: much smaller than they.
struct Place {
  std::uint64_t bodies, first, second;
  std::uint32_t third;
  const PointContact* contact;

  explicit Place(const PointContact& c)
      : bodies(joint(c.body[0], c.body[1])),
        first(std::uint64_t{c.face < 0} << 63 | joint(c.vertex[0], c.face + 1)),
        second(joint(c.vertex[1], c.vertex[2])),
        third(static_cast<std::uint32_t>(c.vertex[3])),
        contact(&c) {}
  bool operator<(const Place& o) const {
    return std::tie(bodies, first, second, third) < std::tie(o.bodies, o.first, o.second, o.third);
  }

 private:
  static std::uint64_t joint(std::int32_t high, std::int32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
  }
};

// The contacts of all threads in one order: those of each are sorted side by side, then merged.
Buffer<PointContact> sorted(const std::vector<std::vector<PointContact>>& parts, int workers) {
  constexpr std::size_t kGrain = 1024;
  std::vector<std::vector<Place>> runs(parts.size());
  parallel_for(workers, parts.size(), 1, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) {
      runs[i].reserve(parts[i].size());
      for (const PointContact& contact : parts[i]) runs[i].emplace_back(contact);
      std::sort(runs[i].begin(), runs[i].end());
    }
  });
  std::vector<Place> order;
  for (const std::vector<Place>& run : runs) {
    const auto middle = static_cast<std::ptrdiff_t>(order.size());
    order.insert(order.end(), run.begin(), run.end());
    std::inplace_merge(order.begin(), order.begin() + middle, order.end());
  }
  Buffer<PointContact> all;
  all.resize(order.size());
  parallel_for(workers, order.size(), kGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) all[i] = *order[i].contact;
  });
  return all;
}

std::vector<Encounter> encounters_of(const std::vector<const Skin*>& bodies,
                                     const std::vector<BodyPair>& pairs,
                                     const std::vector<std::uint32_t>& alone) {
  std::vector<Encounter> encounters;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (bodies[a]->empty()) return;
    encounters.push_back({{static_cast<std::int32_t>(a), *bodies[a]},
                          {static_cast<std::int32_t>(b), *bodies[b]},
                          nullptr,
                          {}});
  };
  for (const BodyPair& p : pairs) add(p.a, p.b);
  for (const std::uint32_t i : alone) add(i, i);
  return encounters;
}

void descend(std::vector<Encounter>& encounters, double threshold, int workers) {
  parallel_for(workers, encounters.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Encounter& met = encounters[b];
      const bool self = met.a.body == met.b.body;
      met.near = std::make_unique<NearFaces>(met.a.skin, met.b.skin, self, threshold);
      met.leaves = met.near->leaves();
    }
  });
}

std::vector<Task> tasks_of(const std::vector<Encounter>& encounters) {
  std::vector<Task> tasks;
  for (const Encounter& met : encounters) {
    for (std::size_t b = 0; b < met.leaves.size(); b += kLeafPairsPerTask) {
      tasks.push_back({&met, b, std::min(met.leaves.size(), b + kLeafPairsPerTask)});
    }
  }
  return tasks;
}

// Of one thread; on cache lines of its own.
struct alignas(64) Output {
  std::vector<PointContact> contacts;
  std::vector<FacePair> candidates;
  std::uint64_t count = 0;

  void execute(const Task& task, double threshold) {
    candidates.clear();
    for (std::size_t i = task.begin; i < task.end; ++i) {
      task.met->near->faces(task.met->leaves[i], candidates);
    }
    count += candidates.size();
    FeaturePairs features(threshold, contacts);
    for (const FacePair& pair : candidates) features.add(task.met->a, task.met->b, pair);
  }
};

}  // namespace

ProximityContacts proximity_contacts(const std::vector<const Skin*>& bodies,
                                     const std::vector<BodyPair>* only,
                                     const std::vector<std::uint32_t>& alone, double threshold,
                                     int workers, const Ticker::Callback& tick) {
  ProximityContacts found;
  Stopwatch watch;
  std::vector<Bounds> bounds = measure(bodies, workers);
  for (Bounds& b : bounds) {
    for (int k = 0; k < 3; ++k) {
      b.lo[k] -= 0.5 * threshold;
      b.hi[k] += 0.5 * threshold;
    }
  }
  const std::vector<BodyPair> pairs = broad_phase(bounds, only, workers);
  found.body_pairs = pairs.size();
  found.broad_seconds = watch.lap();

  prepare(bodies, involved(bodies.size(), pairs, alone), Along::tree, workers);
  for (const Skin* skin : bodies) skin->share_duties(workers);
  found.build_seconds = watch.lap();

  std::vector<Encounter> encounters = encounters_of(bodies, pairs, alone);
  descend(encounters, threshold, workers);
  for (const Encounter& met : encounters) found.leaf_pairs += met.leaves.size();
  found.traverse_seconds = watch.lap();

  const std::vector<Task> tasks = tasks_of(encounters);
  std::vector<Output> outputs(static_cast<std::size_t>(workers));
  Ticker ticker(tasks.size(), tick);
  parallel_for(workers, tasks.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      outputs[static_cast<std::size_t>(worker)].execute(tasks[b], threshold);
      ticker.done(worker);
    }
  });
  std::vector<std::vector<PointContact>> parts;
  for (Output& output : outputs) {
    found.candidates += output.count;
    parts.push_back(std::move(output.contacts));
  }
  found.contacts = sorted(parts, workers);
  found.exact_seconds = watch.lap();
  return found;
}

}  // namespace impinge::contact_points
