// Two triangles of one mesh that share corners.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/lanes.hpp"
#include "geometry/gather.hpp"
#include "mesh/stars.hpp"

namespace impinge {

// Whether two triangles with one or two common corners certainly meet in nothing else: the other
// corners of one lie strictly on one side of the other's plane. `error` as in the float filter.
bool certainly_only_neighbours(const Point4* points, const std::int32_t (&a)[3],
                               const std::int32_t (&b)[3], float error);

// A triangle around a vertex as seen along the mean normal of all of them: between which angles.
// Where it is seen edge-on, or holds the vertex within rounding, all around.
struct Sector {
  std::uint32_t slot;
  std::int32_t id[2];  // of the other two corners
  double begin = 0, end = 0;
  bool all_around = false;
};

// Eight triangles around one vertex.
struct alignas(32) StarPart {
  std::int32_t id[2][kLanes];  // of the other two corners
  float arm[2][3][kLanes];     // from the vertex to them
  float normal[3][kLanes], size[kLanes];
  std::uint32_t slot[kLanes];
  int count;
  unsigned repeating;  // lanes whose triangles have a corner twice

  void set(int lane, const Sector& triangle) {
    slot[lane] = triangle.slot;
    id[0][lane] = triangle.id[0];
    id[1][lane] = triangle.id[1];
  }
  // The first `count` slots and ids are set; the other lanes repeat the last.
  void measure(const Point4* points, std::int32_t vertex);
};

// Lanes of b that `certainly_only_neighbours` of a triangle of a are not; a pair with more common
// vertices comes at the smallest.
unsigned doubtful(const StarPart& a, int row, const StarPart& b, std::int32_t vertex, float error);

// Fills in the angles and sorts by them, those that are all around first. Two triangles with
// disjoint sectors meet in the vertex alone: any other common point would be seen in both.
void place_sectors(std::vector<Sector>& sectors, const Point4* points, std::int32_t vertex,
                   float error);

// Calls pair(i, js) for all i, with the sectors that come after i and overlap it.
template <class Pair>
void for_each_overlap(const std::vector<Sector>& sectors, const Pair& pair) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const std::size_t n = sectors.size();
  const auto placed = static_cast<std::size_t>(
      std::count_if(sectors.begin(), sectors.end(), [](const Sector& s) { return s.all_around; }));
  std::vector<std::uint32_t> js;
  for (std::size_t i = 0; i < n; ++i) {
    const Sector& s = sectors[i];
    js.clear();
    for (std::size_t j = i + 1; j < n && (s.all_around || sectors[j].begin <= s.end); ++j) {
      js.push_back(static_cast<std::uint32_t>(j));
    }
    // beyond half a turn it goes on at the first ones, unless these have found it before
    for (std::size_t j = placed; j < i && sectors[j].begin + kTurn <= s.end; ++j) {
      if (s.begin > sectors[j].end) js.push_back(static_cast<std::uint32_t>(j));
    }
    if (!pair(i, js)) return;
  }
}

// Around so many, pairs that are seen apart are not even looked at.
constexpr std::uint32_t kManyAround = 64;

template <class GoOn, class Test>
void test_overlapping(std::vector<Sector>& sectors, std::int32_t vertex, const Point4* points,
                      float error, const GoOn& go_on, const Test& test) {
  place_sectors(sectors, points, vertex, error);
  StarPart a, b;
  for_each_overlap(sectors, [&](std::size_t i, const std::vector<std::uint32_t>& js) {
    a.count = 1;
    a.set(0, sectors[i]);
    a.measure(points, vertex);
    for (std::size_t begin = 0; begin < js.size(); begin += kLanes) {
      b.count = static_cast<int>(std::min<std::size_t>(kLanes, js.size() - begin));
      for (int k = 0; k < b.count; ++k) b.set(k, sectors[js[begin + static_cast<std::size_t>(k)]]);
      b.measure(points, vertex);
      for_each_bit(doubtful(a, 0, b, vertex, error),
                   [&](int lane) { test(a.slot[0], b.slot[lane]); });
    }
    return go_on();
  });
}

// Calls test(slot, slot) for the pairs around one vertex that are not certain. corner(slot, k) is
// the id of a corner. Leaves early when `go_on()`, asked now and then, says so.
template <class Corner, class GoOn, class Test>
void for_each_doubtful_pair(const Stars& stars, std::int32_t vertex, const Point4* points,
                            float error, const Corner& corner, const GoOn& go_on,
                            const Test& test) {
  const std::uint32_t first = stars.first[vertex], last = stars.first[vertex + 1];
  const auto others = [&](std::uint32_t slot) {
    const std::int32_t id[3] = {corner(slot, 0), corner(slot, 1), corner(slot, 2)};
    return Sector{slot, {id[0] == vertex ? id[1] : id[0], id[2] == vertex ? id[1] : id[2]}};
  };
  if (last - first > kManyAround) {
    std::vector<Sector> sectors;
    for (std::uint32_t i = first; i < last; ++i) sectors.push_back(others(stars.slots[i]));
    test_overlapping(sectors, vertex, points, error, go_on, test);
    return;
  }
  const auto load = [&](std::uint32_t begin, StarPart& part) {
    part.count = static_cast<int>(std::min<std::uint32_t>(kLanes, last - begin));
    for (int i = 0; i < part.count; ++i) {
      part.set(i, others(stars.slots[begin + static_cast<std::uint32_t>(i)]));
    }
    part.measure(points, vertex);
  };
  StarPart a, other;
  for (std::uint32_t i = first; i < last; i += kLanes) {
    if (i > first && !go_on()) return;
    load(i, a);
    for (std::uint32_t j = i; j < last; j += kLanes) {
      if (j > i) load(j, other);
      const StarPart& b = j > i ? other : a;
      for (int row = 0; row < a.count; ++row) {
        unsigned lanes = doubtful(a, row, b, vertex, error);
        if (j == i) lanes &= ~1u << row;
        for_each_bit(lanes, [&](int lane) { test(a.slot[row], b.slot[lane]); });
      }
    }
  }
}

}  // namespace impinge
