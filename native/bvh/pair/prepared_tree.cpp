#include "bvh/pair/prepared_tree.hpp"

#include <memory>

namespace impinge::bvh {

bool PreparedTree::refit(const double* vertices, int workers) {
  slabs_.forget();
  investment_.forget_pairs();
  const Tree::Refit changed = tree_.refit(vertices, workers);
  if (changed.corners) {
    stars_.forget();
    sheets_.forget();
    investment_.forget_self();
  }
  return changed.order;
}

void PreparedTree::expect_pairs(std::size_t queries, int workers) const {
  if (slabs() || tree_.empty() || !investment_.slabs_pay(queries)) return;
  slabs_.get_or([&] { return std::make_unique<const Slabs>(tree_, workers); });
}

void PreparedTree::expect_self(int workers) const {
  if (sheets() || tree_.empty() || !investment_.sheets_pay()) return;
  sheets_.get_or([&] { return std::make_unique<const Sheets>(tree_, stars(), workers); });
}

const Stars& PreparedTree::stars() const {
  return stars_.get_or([&] {
    return std::make_unique<const Stars>(tree_.corners(), tree_.face_count(), tree_.vertex_count());
  });
}

std::size_t PreparedTree::bytes() const {
  std::size_t total = tree_.bytes();
  if (const Stars* stars = stars_.get()) total += stars->bytes();
  if (const Sheets* sheets = sheets_.get()) total += sheets->bytes();
  if (const Slabs* slabs = slabs_.get()) total += slabs->bytes();
  return total;
}

}  // namespace impinge::bvh
