#include "solids/part_inside.hpp"

#include <algorithm>

#include "geometry/facing.hpp"
#include "solids/germ.hpp"
#include "solids/offsets.hpp"

namespace impinge::solids {
namespace {

// By how much the winding number grows along an edge of a face.
int rise(const CutFaceInside& face, int edge) {
  int sum = 0;
  for (const FaceCut& cut : face.cuts) sum += (cut.head_edge == edge) - (cut.tail_edge == edge);
  return sum;
}

bool is_crossed(const CutFaceInside& face, int edge) {
  return std::any_of(face.cuts.begin(), face.cuts.end(), [edge](const FaceCut& cut) {
    return cut.head_edge == edge || cut.tail_edge == edge;
  });
}

}  // namespace

PartInside::PartInside(const PlacedSurface& own, const PlacedSurface& other,
                       std::span<const FaceCut> cuts, int way)
    : own_(own), other_(other), way_(way), seen_(own.rings().faces(), 0) {
  group(cuts);
  find_corners();
  flood();
}

void PartInside::group(std::span<const FaceCut> cuts) {
  for (std::size_t begin = 0; begin < cuts.size();) {
    std::size_t end = begin;
    while (end < cuts.size() && cuts[end].face == cuts[begin].face) ++end;
    cut_.push_back({cuts[begin].face, cuts.subspan(begin, end - begin), {}});
    seen_[cuts[begin].face] = 1;
    begin = end;
  }
}

bool PartInside::is_inside(std::int32_t vertex) const {
  double point[3];
  own_.vertex(vertex, point);
  return winding(other_, MovedGerm{point, way_}, 0) > 0;
}

// Along edges the winding number is known but for a constant, and where it has two values these are
// 0 and 1.
void PartInside::find_corners() {
  std::vector<std::int32_t> ids;
  for (const CutFaceInside& face : cut_) {
    for (int k = 0; k < 3; ++k) ids.push_back(own_.corner(face.face, k));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto slot = [&](std::int32_t id) {
    return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  Offsets offsets(ids.size());
  for (const CutFaceInside& face : cut_) {
    for (int k = 0; k < 3; ++k) {
      offsets.join(slot(own_.corner(face.face, k)), slot(own_.corner(face.face, corner_after(k))),
                   rise(face, k));
    }
  }
  const auto numbers = offsets.numbers([&](std::uint32_t i) { return is_inside(ids[i]) ? 1 : 0; });
  for (CutFaceInside& face : cut_) {
    for (int k = 0; k < 3; ++k) face.inside[k] = numbers[slot(own_.corner(face.face, k))] > 0;
  }
}

// An edge without cuts is inside or outside, and so is each face that it joins, if that has no
// cuts.
void PartInside::flood() {
  for (const CutFaceInside& face : cut_) {
    for (int k = 0; k < 3; ++k) {
      if (!face.inside[k] || !face.inside[corner_after(k)] || is_crossed(face, k)) continue;
      flood_from(static_cast<std::uint32_t>(3 * face.face + own_.side_of_triangle(k)));
    }
  }
  const Rings& rings = own_.rings();
  std::vector<char> cut_shells(rings.shells(), 0);
  for (const CutFaceInside& face : cut_) {
    if (rings.shell(face.face) >= 0) cut_shells[rings.shell(face.face)] = 1;
  }
  for (std::size_t s = 0; s < rings.shells(); ++s) {
    const std::int32_t face = rings.first_of_shell(s);
    if (cut_shells[s] || seen_[face] || !is_inside(rings.corners(face)[0])) continue;
    flood_from(static_cast<std::uint32_t>(3 * face));
  }
}

void PartInside::flood_from(std::uint32_t first) {
  const Rings& rings = own_.rings();
  const auto visit = [&](std::uint32_t side) {
    const auto face = static_cast<std::int32_t>(side / 3);
    if (seen_[face]) return;
    seen_[face] = 1;
    open_.push_back(face);
  };
  const auto visit_ring = [&](std::uint32_t start) {
    std::uint32_t side = start;
    do {
      visit(side);
      side = rings.next(side);
    } while (side != start);
  };
  visit_ring(first);
  while (!open_.empty()) {
    const std::int32_t face = open_.back();
    open_.pop_back();
    whole_.push_back(face);
    for (int k = 0; k < 3; ++k) visit_ring(static_cast<std::uint32_t>(3 * face + k));
  }
}

}  // namespace impinge::solids
