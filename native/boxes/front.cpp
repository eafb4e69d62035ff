#include "boxes/front.hpp"

namespace impinge {

void expand_self(const Hierarchy& boxes, int level, float margin, const Item* items, std::size_t n,
                 Buffer<Item>& out) {
  expand_self(boxes, level, margin, [](int, std::uint32_t) { return false; }, items, n, out);
}

void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, float margin,
                 const Item* items, std::size_t n, Buffer<Item>& out) {
  for (const Item* item = items; item < items + n; ++item) {
    Node rows{};
    unsigned live_rows = 1, live_columns = 1;
    Box8 columns;
    if (levels.lowers_a()) {
      rows = spill(inflate(load_boxes(a.node(levels.a, item->a)), margin));
      live_rows = a.children(levels.a, item->a);
    } else {
      rows = spill(inflate(broadcast(a.box(levels.a, item->a)), margin));
    }
    if (levels.lowers_b()) {
      columns = load_boxes(b.node(levels.b, item->b));
      live_columns = b.children(levels.b, item->b);
    } else {
      columns = broadcast(b.box(levels.b, item->b));
    }
    live_rows &= overlapping(load_boxes(rows), broadcast(hull(columns)));
    for_each_bit(live_rows, [&](int row) {
      const unsigned met = overlapping(broadcast(lane(rows, row)), columns) & live_columns;
      for_each_bit(met, [&](int column) {
        out.push({levels.lowers_a() ? item->a * kLanes + row : item->a,
                  levels.lowers_b() ? item->b * kLanes + column : item->b});
      });
    });
  }
}

}  // namespace impinge
