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
  const Between between(job.aligned.standing(), job.tumbled.standing());
  const Options options;
  Counters counters;
  Judge judge(job, between.error, options, counters);
  with_blocks(job.aligned.tree->directions().blocks(), [&](auto blocks) {
    const Nodes<blocks> nodes(job, between);
    const Recorder recorder{&result};
    if (order == Order::classic) {
      ClassicTraversal<blocks, Recorder>(nodes, false, judge, counters, recorder).run();
    } else if (order == Order::single) {
      ListTraversal<blocks, Recorder, 1> traversal(nodes, false, judge, counters, recorder);
      traversal.run(traversal.start());
    } else {
      ListTraversal<blocks, Recorder> traversal(nodes, false, judge, counters, recorder);
      traversal.run(traversal.start());
    }
  });
  return result;
}

}  // namespace impinge::dop
