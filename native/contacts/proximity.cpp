#include "contacts/proximity.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "contacts/bodies.hpp"
#include "contacts/feature_pairs.hpp"
#include "contacts/near_faces.hpp"
#include "parallel/pool.hpp"
#include "parallel/stopwatch.hpp"

namespace impinge {
namespace {

constexpr std::size_t kLeafPairsPerTask = 64;

// Two bodies, or one twice.
struct Encounter {
  Side a, b;
  std::unique_ptr<NearFaces> near;
  Buffer<Item> leaves;
};

struct Task {
  const Encounter* met;
  std::size_t begin, end;
};

bool in_order(const PointContact& a, const PointContact& b) {
  const auto key = [](const PointContact& c) {
    return std::tuple(c.body[0], c.body[1], c.face < 0, c.vertex[0], c.face, c.vertex[1],
                      c.vertex[2], c.vertex[3]);
  };
  return key(a) < key(b);
}

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
  std::vector<Encounter> encounters;
  std::vector<bool> involved(bodies.size(), false);
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (bodies[a]->empty()) return;
    involved[a] = involved[b] = true;
    encounters.push_back({{static_cast<std::int32_t>(a), *bodies[a]},
                          {static_cast<std::int32_t>(b), *bodies[b]},
                          nullptr,
                          {}});
  };
  for (const BodyPair& p : pairs) add(p.a, p.b);
  for (const std::uint32_t i : alone) add(i, i);
  found.broad_seconds = watch.lap();

  prepare(bodies, involved, Along::tree, workers);
  found.build_seconds = watch.lap();

  parallel_for(workers, encounters.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Encounter& met = encounters[b];
      met.near =
          std::make_unique<NearFaces>(met.a.skin, met.b.skin, met.a.body == met.b.body, threshold);
      met.leaves = met.near->leaves();
    }
  });
  std::vector<Task> tasks;
  for (const Encounter& met : encounters) {
    found.leaf_pairs += met.leaves.size();
    for (std::size_t b = 0; b < met.leaves.size(); b += kLeafPairsPerTask) {
      tasks.push_back({&met, b, std::min(met.leaves.size(), b + kLeafPairsPerTask)});
    }
  }
  found.traverse_seconds = watch.lap();

  struct alignas(64) Output {
    std::vector<PointContact> contacts;
    std::vector<FacePair> candidates;
    std::uint64_t count = 0;
  };
  std::vector<Output> outputs(static_cast<std::size_t>(workers));
  Ticker ticker(tasks.size(), tick);
  parallel_for(workers, tasks.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
    Output& output = outputs[static_cast<std::size_t>(worker)];
    FeaturePairs features(threshold, output.contacts);
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      const Task& task = tasks[b];
      output.candidates.clear();
      for (std::size_t i = task.begin; i < task.end; ++i) {
        task.met->near->faces(task.met->leaves[i], output.candidates);
      }
      output.count += output.candidates.size();
      for (const FacePair& pair : output.candidates) {
        features.add(task.met->a, task.met->b, pair);
      }
      ticker.done(worker);
    }
  });
  std::vector<std::vector<PointContact>> parts;
  for (Output& output : outputs) {
    found.candidates += output.count;
    parts.push_back(std::move(output.contacts));
  }
  found.contacts = joined(parts, workers);
  std::sort(found.contacts.data(), found.contacts.data() + found.contacts.size(), in_order);
  found.exact_seconds = watch.lap();
  return found;
}

}  // namespace impinge
