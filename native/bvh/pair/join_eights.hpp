// Pieces of triangles, eight at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/lanes.hpp"
#include "boxes/hierarchy.hpp"
#include "bvh/pair/join_cell.hpp"
#include "mesh/corners.hpp"

namespace impinge::bvh {

// Coordinates from zero to one in a window, rounded outward. What is beyond stays beyond.
inline Span in_window(const Span& s, const Span& window) {
  // of coordinates from -1 to 2 that are rounded to float32
  constexpr double kFloatSlack = 2e-7;
  const double width = window.hi - window.lo;
  const double scale = width > std::numeric_limits<double>::min() ? 1 / width : 0.0;
  const auto at = [&](double x) { return std::clamp((x - window.lo) * scale, -1.0, 2.0); };
  return {at(s.lo) - kFloatSlack, at(s.hi) + kFloatSlack};
}

// Pieces of one side of a cell, eight at a time.
class Eights {
  static constexpr int kBoxes = kJoinAxes / 3;

 public:
  struct Row {
    Box box[kBoxes];

    Row(const Spans& spans, const Spans& window) {
      for (int k = 0; k < kJoinAxes; ++k) {
        const Span s = in_window(spans[k], window[k]);
        box[k / 3].lo[k % 3] = static_cast<float>(s.lo);
        box[k / 3].hi[k % 3] = static_cast<float>(s.hi);
      }
    }
  };

  Eights(const std::vector<Piece>& pieces, const std::vector<Spans>& spans, const Spans& window,
         const std::vector<std::int32_t>& corners, double reach)
      : boxes_(kBoxes * eights(pieces.size())),
        corners_(corners.empty() ? 0 : eights(pieces.size())) {
    for (std::size_t i = 0; i < kLanes * eights(pieces.size()); ++i) {
      const std::size_t from = std::min(i, pieces.size() - 1), eight = i / kLanes,
                        lane = i % kLanes;
      Spans grown = spans[from];
      for (Span& s : grown) s = {s.lo - reach - kStripSlack, s.hi + reach + kStripSlack};
      const Row row(grown, window);
      for (int k = 0; k < kJoinAxes; ++k) {
        Node& node = boxes_[kBoxes * eight + k / 3];
        node.lo[k % 3][lane] = row.box[k / 3].lo[k % 3];
        node.hi[k % 3][lane] = row.box[k / 3].hi[k % 3];
      }
      for (int c = 0; c < 3 && !corners.empty(); ++c) {
        corners_[eight].id[c][lane] = corners[3 * pieces[from].strip + c];
      }
    }
    last_ = (1u << ((pieces.size() - 1) % kLanes + 1)) - 1;
  }

  // Lanes of the eight from `first` on that are near a piece of the other side.
  unsigned near(std::size_t first, const Row& row) const {
    const std::size_t eight = first / kLanes;
    unsigned lanes = kBoxes * (eight + 1) == boxes_.size() ? last_ : 255u;
    for (int k = 0; k < kBoxes && lanes; ++k) {
      lanes &= overlapping(broadcast(row.box[k]), load_boxes(boxes_[kBoxes * eight + k]));
    }
    return lanes;
  }
  // Lanes with one of three corners.
  unsigned sharing(std::size_t first, const std::int32_t* corner) const {
    const Corners8& c = corners_[first / kLanes];
    return impinge::sharing({Int8(corner[0]), Int8(corner[1]), Int8(corner[2])},
                            {Int8::load(c.id[0]), Int8::load(c.id[1]), Int8::load(c.id[2])});
  }

 private:
  static std::size_t eights(std::size_t n) { return (n + kLanes - 1) / kLanes; }

  std::vector<Node> boxes_;  // kBoxes for each eight, of three directions each
  std::vector<Corners8> corners_;
  unsigned last_;  // lanes of the last eight
};

}  // namespace impinge::bvh
