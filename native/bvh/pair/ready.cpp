#include "bvh/pair/ready.hpp"

namespace impinge::bvh {
namespace {

// Every vertex is asked about, and every leaf meets itself.
void make_leaves(const Tree& tree, int workers) {
  tree.make_points(workers);
  tree.make_all_leaves(workers);
}

// Which parts of a body do not meet themselves.
const ClearSheets* clear_sheets(const Body& body, int workers, std::deque<ClearSheets>& known) {
  const Tree& tree = *body.tree;
  body.prepared->expect_self(workers);
  const Sheets* sheets = body.prepared->sheets();
  if (!sheets) return nullptr;
  return &known.emplace_back(tree, *sheets, self_error(body.frame()), workers);
}

}  // namespace

std::uint64_t make_ready(std::vector<Job>& jobs, const Rule& rule, int workers,
                         std::deque<ClearSheets>& known) {
  // Slabs and clear sheets tell what does not meet, and nothing of margins.
  const bool meeting = rule.margin == 0;
  for (Job& job : jobs) {
    if (!job.self) {
      if (meeting) job.a.prepared->expect_pairs(1, workers);
      if (meeting) job.b.prepared->expect_pairs(1, workers);
    } else if (!rule.first) {
      make_leaves(*job.a.tree, workers);
      if (meeting) job.a.clear = clear_sheets(job.a, workers, known);
    }
  }
  std::uint64_t clear = 0;
  for (const ClearSheets& own : known) clear += own.count();
  return clear;
}

}  // namespace impinge::bvh
