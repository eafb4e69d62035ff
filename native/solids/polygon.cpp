#include "solids/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impinge::solids {
namespace {

// A corner of a ring, seen along the axis such that the inside is on the left.
struct Corner {
  std::int32_t name;
  double x, y;
};
using Ring = std::vector<Corner>;

double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double area(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 2; i < ring.size(); ++i) sum += turn(ring[0], ring[i - 1], ring[i]);
  return sum;
}

bool is_in(const Corner& p, const Corner& a, const Corner& b, const Corner& c) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

bool is_in(const Corner& p, const Ring& ring) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Corner &a = ring[i], &b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  }
  return inside;
}

// Whether the segment from p to q crosses a side of the ring.
bool crosses(const Corner& p, const Corner& q, const Ring& ring) {
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Corner &a = ring[j], &b = ring[i];
    if (turn(a, b, p) * turn(a, b, q) < 0 && turn(p, q, a) * turn(p, q, b) < 0) return true;
  }
  return false;
}

// A hole becomes a part of the ring around it by a way there and back, the shortest that crosses
// neither.
void join_hole(Ring& outer, const Ring& hole) {
  double best = std::numeric_limits<double>::infinity();
  std::size_t best_i = 0, best_j = 0;
  for (const bool strictly : {true, false}) {
    for (std::size_t i = 0; i < outer.size(); ++i) {
      for (std::size_t j = 0; j < hole.size(); ++j) {
        const double d = std::hypot(outer[i].x - hole[j].x, outer[i].y - hole[j].y);
        if (d >= best) continue;
        if (strictly && (crosses(outer[i], hole[j], outer) || crosses(outer[i], hole[j], hole))) {
          continue;
        }
        best = d;
        best_i = i;
        best_j = j;
      }
    }
    if (std::isfinite(best)) break;
  }
  Ring joined(outer.begin(), outer.begin() + best_i + 1);
  for (std::size_t k = 0; k <= hole.size(); ++k) joined.push_back(hole[(best_j + k) % hole.size()]);
  joined.insert(joined.end(), outer.begin() + best_i, outer.end());
  outer = std::move(joined);
}

bool is_at(const Corner& p, const Corner& q) { return p.x == q.x && p.y == q.y; }

bool is_strictly_in(const Corner& p, const Corner& a, const Corner& b, const Corner& c) {
  return turn(a, b, p) > 0 && turn(b, c, p) > 0 && turn(c, a, p) > 0;
}

struct Ear {
  const Corner &a, &b, &c;

  Ear(const Ring& ring, std::size_t i)
      : a(ring[(i + ring.size() - 1) % ring.size()]), b(ring[i]), c(ring[(i + 1) % ring.size()]) {}

  // Whether a point is before the corner, between its sides.
  bool is_between(const Corner& p) const { return turn(a, b, p) > 0 && turn(b, c, p) > 0; }
};

// Whether sides that end where the corner is go between its own.
bool is_split(const Ring& ring, std::size_t i) {
  const Ear ear(ring, i);
  for (std::size_t k = 0; k < ring.size(); ++k) {
    if (k == i || !is_at(ring[k], ear.b)) continue;
    const Ear other(ring, k);
    if (ear.is_between(other.a) || ear.is_between(other.c)) return true;
  }
  return false;
}

// Whether the corner can be cut off: it turns left, and no other corner is in its triangle. One at
// the place of its neighbours is no obstacle: a side from there into the triangle would end in it.
bool is_ear(const Ring& ring, std::size_t i) {
  const Ear ear(ring, i);
  if (!(turn(ear.a, ear.b, ear.c) > 0)) return false;
  for (const Corner& p : ring) {
    if (!is_at(p, ear.a) && !is_at(p, ear.b) && !is_at(p, ear.c) && is_in(p, ear.a, ear.b, ear.c)) {
      return false;
    }
  }
  return !is_split(ring, i);
}

// The same where other corners only touch its triangle, and no side crosses the cut.
bool is_touched_ear(const Ring& ring, std::size_t i) {
  const Ear ear(ring, i);
  if (!(turn(ear.a, ear.b, ear.c) > 0) || crosses(ear.a, ear.c, ring)) return false;
  for (const Corner& p : ring) {
    if (is_strictly_in(p, ear.a, ear.b, ear.c)) return false;
  }
  return !is_split(ring, i);
}

// A corner with nothing in its triangle, not even area: two of the three are at one place.
std::size_t find_needle(const Ring& ring) {
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Ear ear(ring, i);
    if (is_at(ear.a, ear.b) || is_at(ear.b, ear.c) || is_at(ear.a, ear.c)) return i;
  }
  return n;
}

// The corner to cut off when none is an ear: one that others only touch, or the flattest.
std::size_t least_harmful(const Ring& ring) {
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (is_touched_ear(ring, i)) return i;
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::abs(turn(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]));
    if (size < least) {
      least = size;
      best = i;
    }
  }
  return best;
}

void cut_ears(Ring ring, std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::size_t i = 0, tried = 0;
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    i %= n;
    // needles first: what is left of lobes that meet in a place would make an ear of a whole lobe
    if (const std::size_t needle = find_needle(ring); needle < n) {
      i = needle;
    } else if (tried >= n) {
      i = least_harmful(ring);
    } else if (!is_ear(ring, i)) {
      ++tried;
      ++i;
      continue;
    }
    triangles.push_back({ring[(i + n - 1) % n].name, ring[i].name, ring[(i + 1) % n].name});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
    tried = 0;
    ++i;  // not next to the last one, which would make a fan of needles
  }
  if (ring.size() == 3) triangles.push_back({ring[0].name, ring[1].name, ring[2].name});
}

}  // namespace

std::vector<std::array<std::int32_t, 3>> triangulate(const std::vector<std::vector<Vertex2>>& loops,
                                                     int axis, int facing) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  std::vector<Ring> outer, holes;
  for (const auto& loop : loops) {
    Ring ring;
    for (const Vertex2& v : loop) ring.push_back({v.name, v.at[x], facing * v.at[y]});
    (area(ring) < 0 ? holes : outer).push_back(std::move(ring));
  }
  // From right to left, so that no way to a hole is in the way of the next.
  const auto right = [](const Ring& ring) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Corner& c : ring) most = std::max(most, c.x);
    return most;
  };
  std::sort(holes.begin(), holes.end(),
            [&](const Ring& p, const Ring& q) { return right(p) > right(q); });
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (const Ring& hole : holes) {
    Ring* around = nullptr;
    for (Ring& ring : outer) {
      if (is_in(hole[0], ring) && (!around || std::abs(area(ring)) < std::abs(area(*around)))) {
        around = &ring;
      }
    }
    if (around) {
      join_hole(*around, hole);
    } else {
      cut_ears(hole, triangles);
    }
  }
  for (Ring& ring : outer) cut_ears(std::move(ring), triangles);
  return triangles;
}

}  // namespace impinge::solids
