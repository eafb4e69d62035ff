// When two moving bodies first meet: many motions of two bodies, and many bodies of a scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/ticker.hpp"
#include "bvh/pair/prepared_tree.hpp"
#include "motion/rigid/search.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::motion {

// How the bodies lie at the beginning, as surfaces.
enum class Start : std::uint8_t { free, touching, overlapping };

// Whether a contact is one: bodies collide, by the exact test, in some pose of the motion from then
// on, or in one that no point is farther from than 1024 tolerances.
enum class Proof : std::uint8_t { none, later, soon };

struct Impact {
  double time = std::numeric_limits<double>::infinity();
  std::int32_t face_a = -1, face_b = -1;
  double point[3]{}, normal[3]{};  // normal from a to b, zero where none is known
  double gap = 0;
  Start start = Start::free;
  Proof proof = Proof::soon;  // there is no contact, or a certain one
};

struct Question {
  double tolerance;  // below zero: 2^-20 of the size of both bodies
  bool touching;     // contact counts; else only triangles that get deeper than the tolerance
};

// What moves: a tree and one motion or several of it, one after another in `segments`, motion i
// from `ends[i - 1]` to `ends[i]`.
struct Motions {
  std::vector<Segment> segments;
  std::vector<std::size_t> ends;

  std::size_t count() const { return ends.size(); }
  // One alone stands for any number.
  std::span<const Segment> operator[](std::size_t i) const {
    if (ends.size() == 1) i = 0;
    const std::size_t begin = i ? ends[i - 1] : 0;
    return {segments.data() + begin, ends[i] - begin};
  }
};

struct Impacts {
  std::vector<Impact> impacts;  // one for each motion
  SearchCounters counters;
};

Impacts impacts(const bvh::PreparedTree& a, const Motions& motions_a, const bvh::PreparedTree& b,
                const Motions& motions_b, const Question& question, int workers,
                const Ticker::Callback& tick);

struct SceneImpact {
  BodyPair bodies{};
  Impact impact;  // the earliest; of several the first pair of bodies
};

// Of bodies with as many motions each, or one that stands for all; pairs of `only` unless it is
// null. One row for each motion.
struct SceneImpacts {
  std::vector<SceneImpact> impacts;
  SearchCounters counters;
};
SceneImpacts scene_impacts(const std::vector<const bvh::PreparedTree*>& trees,
                           const std::vector<Motions>& motions, const std::vector<BodyPair>* only,
                           const Question& question, int workers, const Ticker::Callback& tick);

}  // namespace impinge::motion
