// Nodes of both trees of a job, ready to be compared.
#pragma once

#include <cstddef>

#include "base/ticker.hpp"
#include "dop/lanes.hpp"
#include "dop/leaf_pairs.hpp"

namespace impinge::dop {

// A tumbled node in the aligned frame; of a leaf also the corners.
template <int kBlocks>
struct Moved {
  Lanes<kBlocks> lower;
  Corners corners;
  std::uint32_t node, link;
  bool bounded;  // `lower` is known: that of a leaf is left out until it is needed

  bool is_leaf() const { return link >> 31; }
  std::uint32_t face() const { return link & ~kLeafBit; }
  std::uint32_t pair() const { return link; }
};

template <int kBlocks>
class Nodes {
 public:
  Nodes(const Job& job, const Between& between)
      : aligned_(*job.a.tree),
        tumbled_(*job.b.tree),
        between_(between),
        map_(aligned_.directions(), between) {}

  const Node<kBlocks>& aligned(std::uint32_t i) const { return aligned_.node<kBlocks>(i); }
  const Node<kBlocks>& tumbled(std::uint32_t i) const { return tumbled_.node<kBlocks>(i); }

  Lanes<kBlocks> dop(const Node<kBlocks>& aligned) const {
    return aligned.is_leaf() ? dop_of<kBlocks>(aligned_.directions(), aligned.corners())
                             : load<kBlocks>(aligned.data);
  }

  void move(std::uint32_t i, Moved<kBlocks>& x) const {
    const Node<kBlocks>& node = tumbled(i);
    x.node = i;
    x.link = node.link;
    if (node.is_leaf()) {
      for (int c = 0; c < 9; c += 3) between_.point(node.corners() + c, x.corners.at + c);
      x.corners.measure(2 * between_.error);
    } else {
      x.lower = lower_of<kBlocks>(map_, node.data);
    }
    x.bounded = !node.is_leaf();
  }

  // The DOP of a leaf is that of the moved corners, which is tight.
  void bound(Moved<kBlocks>& leaf) const {
    leaf.lower = lower_of_leaf<kBlocks>(aligned_.directions(), map_, leaf.corners.at);
    leaf.bounded = true;
  }

 private:
  const Tree& aligned_;
  const Tree& tumbled_;
  const Between& between_;
  Correspondence map_;
};

// For traversals that nobody watches.
struct Unwatched {
  void transform(std::uint32_t) {}
  void meet(std::uint32_t, std::uint32_t, bool) {}
};

// What every traversal has at hand.
template <int kBlocks, class Watch>
class Walk {
 public:
  Walk(const Nodes<kBlocks>& nodes, bool self, LeafPairs& leaves, Counters& counters,
       Watch watch = {}, Ticker* ticker = nullptr, int worker = 0)
      : nodes_(nodes),
        self_(self),
        leaves_(leaves),
        counters_(counters),
        watch_(watch),
        ticker_(ticker),
        worker_(worker) {}

 protected:
  // Whether one pair was enough, or the query is stopped; asked at every step.
  template <std::size_t kStepsPerPulse>
  bool stops() {
    if (leaves_.satisfied()) return true;
    return ++steps_ % kStepsPerPulse == 0 && ticker_ && !ticker_->pulse(worker_);
  }

  const Nodes<kBlocks>& nodes_;
  const bool self_;
  LeafPairs& leaves_;
  Counters& counters_;
  Watch watch_;

 private:
  Ticker* ticker_;
  const int worker_;
  std::size_t steps_ = 0;
};

}  // namespace impinge::dop
