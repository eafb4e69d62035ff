// The list traversal: only the tumbled tree is descended, and with each of its nodes goes a list of
// the aligned nodes that it must still be compared with. So each tumbled node is moved once.
#pragma once

#include <vector>

#include "base/buffer.hpp"
#include "dop/leaf_pairs.hpp"
#include "dop/moved.hpp"

namespace impinge::dop {

// An aligned sibling pair, and a bit for each of the two that is to be compared.
using Entry = std::uint32_t;
inline Entry make_entry(std::uint32_t pair, unsigned mask) { return pair << 2 | mask; }

// A sibling pair of the tumbled tree (or the root, alone) with its list.
struct Part {
  std::uint32_t first;
  int count;
  std::vector<Entry> list;
};

// kTogether: how many tumbled nodes go through a list at a time, siblings or each on its own.
template <int kBlocks, class Watch = Unwatched, int kTogether = 2>
class ListTraversal : Walk<kBlocks, Watch> {
  using Base = Walk<kBlocks, Watch>;
  using Base::nodes_, Base::self_, Base::leaves_, Base::counters_, Base::watch_;

 public:
  using Base::Base;

  // Where everything begins. A tree is compared with itself from the children of its root on.
  Part start() const {
    const Node<kBlocks>& root = nodes_.tumbled(kRoot);
    if (!self_) return {kRoot, 1, {make_entry(0, 2)}};
    return root.is_leaf() ? Part{kRoot, 0, {}} : Part{2 * root.pair(), 2, {}};
  }

  // One step: the parts below.
  void expand(const Part& part, std::vector<Part>& below);

  // All the way down.
  void run(const Part& part);

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
  };

  // A tumbled pair on the way down. The lists are those of what is below its two nodes.
  struct Frame {
    Moved<kBlocks> x[2];
    Range list[2];
    int count;
    bool second;  // the bit: set when the second branch is entered

    Frame() {}  // filled by visit
  };

  Range put(const std::vector<Entry>& list);
  void visit(std::uint32_t first, int count, Range list, Frame& frame);
  template <int kCount>
  void compare(Moved<kBlocks>* x, Range list, Entry** out);
  void finish_leaf(Moved<kBlocks>& x, Range list);
  bool enter(int branch);

  static constexpr std::size_t kStepsPerPulse = 256;
  static constexpr std::size_t kUsualEntries = 1024, kUsualDepth = 24;

  Buffer<Entry> lists_;  // a stack of lists
  std::vector<Frame> frames_;
};

// Compares one or two tumbled nodes with everything in the list, and appends to their lists what
// is to be compared with their children: the children of an aligned node, or the node itself when
// it is a leaf. Two leaves go to the judge.
template <int kBlocks, class Watch, int kTogether>
template <int kCount>
void ListTraversal<kBlocks, Watch, kTogether>::compare(Moved<kBlocks>* x, Range list, Entry** out) {
  // in registers: what is written to the lists could be anything otherwise
  Entry* to[2] = {out[0], out[kCount - 1]};
  const Entry* const starts[2] = {to[0], to[1]};
  const Entry* const entries = lists_.data();
  std::uint64_t met = 0;
  for (std::size_t i = list.begin; i < list.end; ++i) {
    const Entry entry = entries[i];
    const std::uint32_t pair = entry >> 2;
    for (unsigned side = 0; side < 2; ++side) {
      if (!(entry >> side & 1)) continue;
      const std::uint32_t id = 2 * pair + side;
      const Node<kBlocks>& node = nodes_.aligned(id);
      ++met;
      if (!node.is_leaf()) {
        const Lanes<kBlocks> dop = load<kBlocks>(node.data);
        const Entry below = make_entry(node.pair(), 3);
        bool wanted = false;
        for (int s = 0; s < kCount; ++s) {
          if (!x[s].bounded) nodes_.bound(x[s]);
          const bool meet = !apart(x[s].lower, dop);
          watch_.meet(id, x[s].node, meet);
          *to[s] = below;
          to[s] += meet;
          wanted |= meet;
        }
        // lists are short: what is put in one will be looked at soon
        if (wanted) prefetch(&nodes_.aligned(2 * node.pair()), 2 * sizeof(Node<kBlocks>));
        continue;
      }
      bool made = false;
      Lanes<kBlocks> dop;
      for (int s = 0; s < kCount; ++s) {
        if (x[s].is_leaf()) {
          watch_.meet(id, x[s].node, true);
          leaves_.add(node, x[s].corners, x[s].face());
          continue;
        }
        if (!made) {
          dop = nodes_.dop(node);
          made = true;
          ++counters_.leaf_dops;
        }
        const bool meet = !apart(x[s].lower, dop);
        watch_.meet(id, x[s].node, meet);
        if (!meet) continue;
        // both leaves of a pair go in one entry
        if (to[s] > starts[s] && to[s][-1] >> 2 == pair) {
          to[s][-1] |= 1u << side;
        } else {
          *to[s]++ = make_entry(pair, 1u << side);
        }
      }
    }
  }
  counters_.node_pairs += kCount * met;
  for (int s = 0; s < kCount; ++s) out[s] = to[s];
}

template <int kBlocks, class Watch, int kTogether>
auto ListTraversal<kBlocks, Watch, kTogether>::put(const std::vector<Entry>& list) -> Range {
  lists_.clear();
  lists_.reserve(kUsualEntries);
  std::copy_n(list.data(), list.size(), lists_.grow(list.size()));
  lists_.advance(list.size());
  return {0, list.size()};
}

template <int kBlocks, class Watch, int kTogether>
void ListTraversal<kBlocks, Watch, kTogether>::visit(std::uint32_t first, int count, Range list,
                                                     Frame& frame) {
  frame.count = count;
  frame.second = false;
  for (int s = 0; s < count; ++s) {
    nodes_.move(first + s, frame.x[s]);
    if (!frame.x[s].is_leaf()) {
      prefetch(&nodes_.tumbled(2 * frame.x[s].pair()), 2 * sizeof(Node<kBlocks>));
    }
    watch_.transform(first + s);
  }
  counters_.transforms += count;
  ++counters_.lists;
  counters_.list_pairs += list.end - list.begin;

  // The list of the first node lies above that of the second, since it is done first, and above
  // what room that leaves. A list leaves at most two entries for each of its own, and within one
  // tree the sibling one more.
  lists_.resize(list.end);
  const std::size_t room = 2 * (list.end - list.begin) + 1;
  lists_.grow(2 * room + 1);
  const bool siblings = self_ && count == 2;
  if (siblings) lists_.push(make_entry(first / 2, 2));
  const std::size_t base = lists_.size();
  Entry* const lower = lists_.data() + base;
  Entry* const upper = lower + room;
  Entry* out[2] = {count == 2 ? upper : lower, lower};
  if (siblings) compare<1>(frame.x, {base - 1, base}, out);
  if (count == 2) {
    compare<2>(frame.x, list, out);
  } else {
    compare<1>(frame.x, list, out);
  }
  const auto range = [&](const Entry* begin, const Entry* end) {
    return Range{base + static_cast<std::size_t>(begin - lower),
                 base + static_cast<std::size_t>(end - lower)};
  };
  frame.list[0] = range(count == 2 ? upper : lower, out[0]);
  if (count == 2) frame.list[1] = range(lower, out[1]);
  lists_.advance(frame.list[0].end - base);
}

// A leaf meets inner nodes until their leaves are reached.
template <int kBlocks, class Watch, int kTogether>
void ListTraversal<kBlocks, Watch, kTogether>::finish_leaf(Moved<kBlocks>& x, Range list) {
  while (!list.empty()) {
    ++counters_.lists;
    counters_.list_pairs += list.end - list.begin;
    lists_.resize(list.end);
    Entry* const begin = lists_.grow(2 * (list.end - list.begin));
    Entry* out = begin;
    compare<1>(&x, list, &out);
    lists_.advance(static_cast<std::size_t>(out - begin));
    list = {list.end, lists_.size()};
  }
}

// Goes down on one side of the uppermost frame; true when that put another frame on the stack.
template <int kBlocks, class Watch, int kTogether>
bool ListTraversal<kBlocks, Watch, kTogether>::enter(int branch) {
  Frame& top = frames_.back();
  if constexpr (kTogether == 1) {
    // both children go through the list of their parent, one after the other
    Moved<kBlocks>& parent = top.x[0];
    const Range list = top.list[0];
    if (parent.is_leaf()) {
      if (branch == 0) finish_leaf(parent, list);
      return false;
    }
    if (list.empty()) return false;
    const std::uint32_t child = 2 * parent.pair() + branch;
    visit(child, 1, list, frames_.emplace_back());
    return true;
  } else {
    if (branch >= top.count) return false;
    Moved<kBlocks>& x = top.x[branch];
    const Range list = top.list[branch];
    if (x.is_leaf()) {
      finish_leaf(x, list);
      return false;
    }
    if (list.empty() && !self_) return false;
    const std::uint32_t child = 2 * x.pair();
    visit(child, 2, list, frames_.emplace_back());
    return true;
  }
}

template <int kBlocks, class Watch, int kTogether>
void ListTraversal<kBlocks, Watch, kTogether>::run(const Part& part) {
  if (part.count == 0) return;
  frames_.clear();
  frames_.reserve(kUsualDepth);
  visit(part.first, part.count, put(part.list), frames_.emplace_back());
  int branch = 0;
  while (!this->template stops<kStepsPerPulse>()) {
    if (enter(branch)) {
      branch = 0;
      continue;
    }
    while (!frames_.empty() && frames_.back().second) frames_.pop_back();
    if (frames_.empty()) break;
    frames_.back().second = true;
    branch = 1;
  }
}

template <int kBlocks, class Watch, int kTogether>
void ListTraversal<kBlocks, Watch, kTogether>::expand(const Part& part, std::vector<Part>& below) {
  if (part.count == 0) return;
  Frame frame;
  visit(part.first, part.count, put(part.list), frame);
  for (int s = 0; s < part.count; ++s) {
    const Moved<kBlocks>& x = frame.x[s];
    const Range list = frame.list[s];
    if (x.is_leaf() || (list.empty() && !self_)) continue;
    const Entry* entries = lists_.data();
    below.push_back({2 * x.pair(), 2, {entries + list.begin, entries + list.end}});
  }
  for (int s = 0; s < part.count; ++s) {
    if (frame.x[s].is_leaf()) finish_leaf(frame.x[s], frame.list[s]);
  }
}

}  // namespace impinge::dop
