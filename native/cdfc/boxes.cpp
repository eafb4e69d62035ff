#include "cdfc/boxes.hpp"

#include <algorithm>

namespace impinge::cdfc {
namespace {

// A point of two triangles, mapped by the axes as they are, is between the mapped true corners of
// both. A mapped corner is off by at most 1.74 kRounding, since the components of a unit vector add
// up to sqrt(3) at most, and by three roundings of values below 1.74, 5.3u with u = 2^-24; moving a
// bound outward rounds once more, 2u. Together less than 8.3u.
constexpr float kMargin = 9 * 0x1p-24f;

}  // namespace

void turned_boxes(const Point4* points, const std::int32_t* corners,
                  std::span<const std::uint32_t> chosen, const Axes& axes, TurnedBox* boxes) {
  const Float8 margin(kMargin);
  for (std::size_t first = 0; first < chosen.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, chosen.size() - first);
    std::int32_t index[3][kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::int32_t* c = corners + 3 * std::size_t(chosen[first + std::min(i, count - 1)]);
      for (int k = 0; k < 3; ++k) index[k][i] = c[k];
    }
    const Point8 corner[3] = {gather(points, index[0]), gather(points, index[1]),
                              gather(points, index[2])};
    for (int a = 0; a < 3; ++a) {
      const float* row = axes.row[a];
      Float8 x[3];
      for (int i = 0; i < 3; ++i) {
        x[i] = Float8(row[0]) * corner[i].at[0] + Float8(row[1]) * corner[i].at[1] +
               Float8(row[2]) * corner[i].at[2];
      }
      alignas(32) float low[kLanes], high[kLanes];
      (min(min(x[0], x[1]), x[2]) - margin).store(low);
      (max(max(x[0], x[1]), x[2]) + margin).store(high);
      for (std::size_t i = 0; i < count; ++i) {
        boxes[first + i].low[a] = low[i];
        boxes[first + i].high[a] = high[i];
      }
    }
  }
}

}  // namespace impinge::cdfc
