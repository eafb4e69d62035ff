// The one narrow phase: from candidates to colliding pairs, whoever found the candidates.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/lanes.hpp"
#include "pairs/float_filter.hpp"
#include "pairs/near_filter.hpp"
#include "pairs/pair_key.hpp"
#include "pairs/rule.hpp"
#include "pairs/tally.hpp"

namespace impinge {

// What the slots of a candidate stand for: triangles as they were given, in world coordinates, and
// ids that count through all bodies.
template <class S>
concept Source = requires(const S& source, std::uint32_t slot) {
  { source.triangle_a(slot) } -> std::convertible_to<Triangle>;
  { source.triangle_b(slot) } -> std::convertible_to<Triangle>;
  { source.id_a(slot) } -> std::convertible_to<std::uint32_t>;
  { source.id_b(slot) } -> std::convertible_to<std::uint32_t>;
  { source.same_body(slot, slot) } -> std::convertible_to<bool>;
};

// Belongs to one thread; keys are appended. A detector writes candidates into the batch, with boxes
// that overlap, and drains it when it is full and at the end. Holds references only: it is made
// anew for a single star.
template <Source S>
class Judge {
 public:
  // `error` as in the float filter, `reach` as in the near filter; zero without a margin.
  Judge(const S& source, const Rule& rule, float error, Batch& batch, Buffer<Key>& keys,
        Tally& tally, float reach = 0)
      : source_(source),
        rule_(rule),
        error_(error),
        reach_(reach),
        batch_(batch),
        keys_(keys),
        tally_(tally) {}

  // Decides what is in the batch. What one thread finds alone may be more than the rule allows.
  void drain() {
    decide_batch();
    check_most(keys_.size(), rule_);
  }

  // Neighbours: the filter says nothing of triangles with common corners.
  void test_neighbours(std::uint32_t slot_a, std::uint32_t slot_b) {
    ++tally_.star_tests;
    test(slot_a, slot_b);
    check_most(keys_.size(), rule_);
  }

 private:
  void decide_batch() {
    tally_.candidates += static_cast<std::uint64_t>(batch_.size);
    if (reach_ > 0) return drain_near();
    drop_parted(batch_, error_);
    // For the first pair, exact tests wait until no pair of the batch is certain in float.
    std::uint8_t undecided[Batch::kRoom / kLanes + 1];
    const std::size_t before = keys_.size();
    const auto enough = [&] { return rule_.first && keys_.size() > before; };
    for (int first = 0; first < batch_.size && !enough(); first += kLanes) {
      const Verdict8 v = filter_pairs(batch_, first, error_);
      const unsigned live = batch_.live(first);
      // Only strict signs decide in float, and with strict signs a meeting is a crossing.
      each(first, v.crossing & live,
           [&](std::uint32_t a, std::uint32_t b) { report(a, b, Kind::crossing); });
      undecided[first / kLanes] = static_cast<std::uint8_t>(v.undecided & live);
    }
    for (int first = 0; first < batch_.size && !enough(); first += kLanes) {
      each(first, undecided[first / kLanes], [&](std::uint32_t a, std::uint32_t b) {
        ++tally_.undecided;
        test(a, b);
      });
    }
    batch_.size = 0;
  }

  // Under a margin: what float32 does not part is measured in float64, and what is still open there
  // exactly.
  void drain_near() {
    const auto is_within = [](const Triangle& a, const Triangle& b, double margin) {
      const Answer answer = surely_within(a, b, margin);
      return answer == Answer::unknown ? within(a, b, margin) : answer == Answer::yes;
    };
    const std::size_t before = keys_.size();
    for (int first = 0; first < batch_.size; first += kLanes) {
      const unsigned open = ~certainly_beyond(batch_, first, error_, reach_) & batch_.live(first);
      each(first, open, [&](std::uint32_t a, std::uint32_t b) {
        if (rule_.first && keys_.size() > before) return;
        ++tally_.undecided;
        test(a, b, is_within);
      });
    }
    batch_.size = 0;
  }

  template <class F>
  void each(int first, unsigned lanes, const F& f) {
    for_each_bit(lanes, [&](int i) { f(batch_.slot_a[first + i], batch_.slot_b[first + i]); });
  }

  template <class... Within>
  void test(std::uint32_t slot_a, std::uint32_t slot_b, const Within&... is_within) {
    const Kind kind = decide(source_.triangle_a(slot_a), source_.triangle_b(slot_b),
                             source_.same_body(slot_a, slot_b), rule_, is_within...);
    if (kind != Kind::none) report(slot_a, slot_b, kind);
  }

  void report(std::uint32_t slot_a, std::uint32_t slot_b, Kind kind) {
    keys_.push(make_key(source_.id_a(slot_a), source_.id_b(slot_b), kind));
  }

  const S& source_;
  const Rule& rule_;
  const float error_, reach_;
  Batch& batch_;
  Buffer<Key>& keys_;
  Tally& tally_;
};

}  // namespace impinge
