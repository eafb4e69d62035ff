#include "boxes/front.hpp"

namespace impinge {

void expand_self(const Hierarchy& boxes, int level, float margin, const Item* items, std::size_t n,
                 Buffer<Item>& out) {
  expand_self(boxes, level, margin, [](int, std::uint32_t) { return false; }, items, n, out);
}

}  // namespace impinge
