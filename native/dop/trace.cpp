#include "dop/trace.hpp"

#include "dop/classic.hpp"
#include "dop/list.hpp"

namespace impinge::dop {
namespace {

struct Recorder {
  Trace* trace;
  void transform(std::uint32_t node) { trace->transforms.push_back(node); }
  void meet(std::uint32_t aligned, std::uint32_t tumbled, bool overlap) {
    trace->meetings.push_back({aligned, tumbled, overlap});
  }
};

}  // namespace

Trace trace(const Job& job, Order order) {
  Trace result;
  const Between between(job.a.frame(), job.b.frame());
  const Options options;
  Counters counters;
  Buffer<Key> keys;
  LeafPairs leaves(job, between.error, options, keys, counters);
  with_blocks(job.a.tree->directions().blocks(), [&](auto blocks) {
    const Nodes<blocks> nodes(job, between);
    const Recorder recorder{&result};
    if (order == Order::classic) {
      ClassicTraversal<blocks, Recorder>(nodes, false, leaves, counters, recorder).run();
    } else if (order == Order::single) {
      ListTraversal<blocks, Recorder, 1> traversal(nodes, false, leaves, counters, recorder);
      traversal.run(traversal.start());
    } else {
      ListTraversal<blocks, Recorder> traversal(nodes, false, leaves, counters, recorder);
      traversal.run(traversal.start());
    }
  });
  return result;
}

}  // namespace impinge::dop
