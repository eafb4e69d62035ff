// The classic traversal: both trees are descended at once, and a tumbled node is moved anew each
// time it is met. Kept to be compared with.
#pragma once

#include "dop/leaf_pairs.hpp"
#include "dop/moved.hpp"

namespace impinge::dop {

template <int kBlocks, class Watch = Unwatched>
class ClassicTraversal : Walk<kBlocks, Watch> {
 public:
  using Walk<kBlocks, Watch>::Walk;

  void run() {
    if (self_) {
      within(kRoot);
    } else {
      traverse(kRoot, kRoot);
    }
  }

 private:
  void within(std::uint32_t i) {
    const Node<kBlocks>& node = nodes_.aligned(i);
    if (node.is_leaf() || over_) return;
    traverse(2 * node.pair() + 1, 2 * node.pair());
    within(2 * node.pair());
    within(2 * node.pair() + 1);
  }

  void traverse(std::uint32_t a, std::uint32_t b) {
    if (is_over()) return;
    const Node<kBlocks>& node = nodes_.aligned(a);
    Moved<kBlocks> x;
    nodes_.move(b, x);
    watch_.transform(b);
    ++counters_.transforms;
    ++counters_.node_pairs;
    if (node.is_leaf() && x.is_leaf()) {
      watch_.meet(a, b, true);
      leaves_.add(node, x.corners, x.face());
      return;
    }
    counters_.leaf_dops += node.is_leaf();
    if (!x.bounded) nodes_.bound(x);
    const bool meet = !apart(x.lower, nodes_.dop(node));
    watch_.meet(a, b, meet);
    if (!meet) return;
    // of a leaf there is nothing to descend to: it stays
    const std::uint32_t first_a = node.is_leaf() ? a : 2 * node.pair();
    const std::uint32_t first_b = x.is_leaf() ? b : 2 * x.pair();
    for (std::uint32_t j = first_b; j < first_b + (x.is_leaf() ? 1 : 2); ++j) {
      for (std::uint32_t i = first_a; i < first_a + (node.is_leaf() ? 1 : 2); ++i) traverse(i, j);
    }
  }

  bool is_over() {
    over_ = over_ || this->template stops<kStepsPerPulse>();
    return over_;
  }

  static constexpr std::size_t kStepsPerPulse = 4096;

  using Base = Walk<kBlocks, Watch>;
  using Base::nodes_, Base::self_, Base::leaves_, Base::counters_, Base::watch_;
  bool over_ = false;
};

}  // namespace impinge::dop
