// Questions about many bodies as they come from Python, and pairs of faces as they go back.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/ticking.hpp"
#include "geometry/frame.hpp"
#include "geometry/pose.hpp"
#include "pairs/broad_phase.hpp"
#include "pairs/findings.hpp"
#include "pairs/tally.hpp"

namespace impinge {

// What a query counted, by name. Python reads it when somebody asks: to make a dict of it takes a
// tenth of a small query.
class Counts {
 public:
  Counts() { entries_.reserve(kUsual); }

  double& operator[](const char* name) { return entries_.emplace_back(name, 0.0).second; }

  const std::vector<std::pair<const char*, double>>& entries() const { return entries_; }

 private:
  static constexpr std::size_t kUsual = 16;
  std::vector<std::pair<const char*, double>> entries_;
};

using PairArray = NewArray<std::int32_t, -1, 2>;
using IndexArray = NewArray<std::int32_t, -1>;
using KindArray = NewArray<std::uint8_t, -1>;

using ScenePairs = std::tuple<PairArray::Array, PairArray::Array, KindArray::Array, Counts>;
using PosePairs = std::tuple<PairArray::Array, IndexArray::Array, KindArray::Array, Counts>;

// Where bodies are: for each the bytes of its pose (4, 4) of float64 numbers, or None where it is
// at rest; nothing when all are. Bytes are read in a fraction of the time of an array of poses.
using Placements = std::optional<std::vector<std::optional<nb::bytes>>>;

Pose placed(const nb::bytes& placement);
// A ValueError if what is in a box is moved too far by it.
void check_placed(const nb::bytes& placement, const Bounds& bounds);

// In the order given; every index is checked.
std::vector<BodyPair> body_pairs_of(const IndexPairs& pairs, std::size_t count);

// Which pairs of bodies, and which bodies with themselves; every index is checked.
struct BodyChoice {
  std::optional<std::vector<BodyPair>> pairs;  // sorted
  std::vector<std::uint32_t> self;

  BodyChoice(std::size_t count, const std::optional<IndexPairs>& body_pairs,
             const Indices& self_bodies);
  const std::vector<BodyPair>* only() const { return pairs ? &*pairs : nullptr; }
};

// Pairs of a scene; `ends` are the running totals of the face counts. Without the GIL.
struct SceneColumns {
  std::size_t n;
  PairArray pairs, owners;
  KindArray kinds;

  SceneColumns(std::span<const Key> keys, const std::vector<std::uint32_t>& ends, int workers);
  ScenePairs give(Counts counters) {
    return {pairs.give({n, 2}), owners.give({n, 2}), kinds.give({n}), std::move(counters)};
  }
};

// Pairs of two bodies in many poses, one run of keys for each.
struct PoseColumns {
  std::size_t n;
  PairArray pairs;
  IndexArray pose;
  KindArray kinds;

  PoseColumns(std::span<const Key> keys, const std::vector<std::size_t>& run_ends,
              std::size_t offset);
  PosePairs give(Counts counters) {
    return {pairs.give({n, 2}), pose.give({n}), kinds.give({n}), std::move(counters)};
  }
};

void count(Counts& d, const Tally& tally);

// What every query on trees counts; `own` adds the rest.
template <class Counters, class Own>
Counts counters_of(const Found<Counters>& found, const Own& own) {
  Counts d;
  d["broad_seconds"] = found.broad_seconds;
  d["broad_pairs"] = found.body_pairs;
  d["traverse_seconds"] = found.traverse_seconds;
  d["node_pairs"] = found.counters.node_pairs;
  d["leaf_pairs"] = found.counters.leaf_pairs;
  count(d, found.counters);
  own(d);
  d["sort_seconds"] = found.sort_seconds;
  d["hits"] = found.keys.size();
  return d;
}

// Bodies of a scene as trees in their poses, and the running totals of their face counts.
template <class Body>
struct SceneBodies {
  std::vector<Body> bodies;
  std::vector<std::uint32_t> ends;

  // body(i, pose) is one of them.
  template <class MakeBody>
  SceneBodies(std::size_t count, const Placements& placements, const MakeBody& body) {
    if (placements && placements->size() != count) {
      throw nb::value_error("one placement per tree is needed");
    }
    bodies.reserve(count);
    ends.reserve(count);
    std::size_t faces = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool rests = !placements || !(*placements)[i];
      bodies.push_back(body(i, rests ? Pose() : placed(*(*placements)[i])));
      if (!rests) check_placed(*(*placements)[i], bodies.back().tree->bounds());
      faces += bodies.back().tree->face_count();
      ends.push_back(static_cast<std::uint32_t>(faces));
    }
    if (faces >> kIdBits) throw nb::value_error("more than 2**30 faces in one scene");
  }
};

// Asks ask(threads, callback), which gives what was found; own(counters, d) adds counters.
template <class Ask, class Own>
ScenePairs scene_pairs(const std::vector<std::uint32_t>& ends, int workers, nb::object tick,
                       const Ask& ask, const Own& own) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  decltype(ask(0, callback)) found;
  std::optional<SceneColumns> columns;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    found = ask(threads, callback);
    columns.emplace(found.keys, ends, threads);
  }
  return columns->give(counters_of(found, [&](Counts& d) { own(found.counters, d); }));
}

// The same for body b in many poses; `faces` are those of a and of b.
template <class Ask, class Own>
PosePairs pose_pairs(std::size_t faces_a, std::size_t faces_b, int workers, nb::object tick,
                     const Ask& ask, const Own& own) {
  if ((faces_a + faces_b) >> kIdBits) throw nb::value_error("more than 2**30 faces in one query");
  const Ticker::Callback callback = make_tick(std::move(tick));
  decltype(ask(0, callback)) found;
  std::optional<PoseColumns> columns;
  {
    nb::gil_scoped_release release;
    found = ask(resolve_workers(workers), callback);
    columns.emplace(found.keys, found.run_ends, faces_a);
  }
  return columns->give(counters_of(found, [&](Counts& d) { own(found.counters, d); }));
}

}  // namespace impinge
