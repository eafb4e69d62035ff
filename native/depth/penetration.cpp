#include "depth/penetration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/pool.hpp"
#include "depth/core_search.hpp"
#include "depth/one_way.hpp"
#include "depth/scaled_solid.hpp"
#include "depth/surface_search.hpp"
#include "depth/within.hpp"
#include "solids/overlap_bounds.hpp"
#include "solids/overlap_corners.hpp"
#include "solids/relation.hpp"

namespace impinge::depth {
namespace {

using solids::Overlay;
using solids::PlacedSolid;
using solids::Relation;
using solids::Solid;

// Distances and places where faces are split are off by some roundings of the coordinates: those of
// the faces, which may be much larger than what they have in common.
constexpr double kSlack = 0x1p-45;
constexpr double kRoundings = 32;  // of parts that were placed by float64
constexpr double kFlat = 1e-6;
constexpr std::size_t kFacesEach = 8, kFewFaces = 512;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double slack_of(const Solid& a, const Solid& b) {
  return kSlack * std::max(largest_coordinate(a), largest_coordinate(b));
}

// What two solids have in common, as far as it is known.
class Overlap {
 public:
  Overlap(const Solid& a, const Solid& b, int workers, const Ticker::Callback& tick)
      : placed_{{a, Pose()}, {b, Pose()}},
        box_(common(a.tree().tree().bounds(), b.tree().tree().bounds())) {
    if (!placed_[0].overlaps_itself() && !placed_[1].overlaps_itself()) {
      overlay_.emplace(placed_[0], placed_[1], workers, tick);
    }
  }

  const Overlay* overlay() const { return overlay_ ? &*overlay_ : nullptr; }
  const Bounds& box() const { return box_; }
  const PlacedSolid& placed(int i) const { return placed_[i]; }

  const solids::Pieces& pieces() const { return pieces_; }

  // Makes the pieces beside it.
  solids::Measures measure(int workers) {
    if (!overlay_) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      return {nan, {nan, nan, nan}, box_};
    }
    solids::Measures found;
    std::optional<Bounds> tight;
    parallel_for(workers, 3, 1, [&](std::size_t task, std::size_t end, int) {
      for (; task < end; ++task) {
        if (task == 0) pieces_ = pieces_of_cut_faces(*overlay_);
        if (task == 1 && placed_[0].is_simple() && placed_[1].is_simple()) {
          tight = tight_bounds(*overlay_, placed_[0], placed_[1]);
        }
        if (task == 2) found = measures_of(*overlay_, workers);
      }
    });
    if (tight) found.bounds = *tight;
    return found;
  }

  // Of a ball around it that has all corners.
  double radius(const double* centre) const {
    double squared = 0;
    for_each_corner(*overlay_, [&](const double* p) {
      const Vector to = from_to(centre, p);
      squared = std::max(squared, dot(to, to));
    });
    return std::sqrt(squared);
  }

  // How much room it takes along a direction.
  double width(const Vector& unit) const {
    double least = kInfinity, most = -least;
    const auto add = [&](const double* p) {
      const double at = unit.x * p[0] + unit.y * p[1] + unit.z * p[2];
      least = std::min(least, at);
      most = std::max(most, at);
    };
    if (overlay_) {
      for_each_corner(*overlay_, add);
    } else {
      for (int i = 0; i < 8; ++i) {
        const double corner[3] = {(i & 1 ? box_.hi : box_.lo)[0], (i & 2 ? box_.hi : box_.lo)[1],
                                  (i & 4 ? box_.hi : box_.lo)[2]};
        add(corner);
      }
    }
    return most - least;
  }

 private:
  const PlacedSolid placed_[2];
  const Bounds box_;
  std::optional<Overlay> overlay_;
  solids::Pieces pieces_;
};

class DepthSearch {
 public:
  DepthSearch(const Solid& a, const Solid& b, const Overlap& overlap, const Goal& goal,
              bool is_rough, int workers)
      : b_(b),
        overlap_(overlap),
        goal_(goal),
        is_rough_(is_rough),
        workers_(workers),
        to_a_(a, is_rough ? a.rough_boundary() : a.boundary()),
        to_b_(b, is_rough ? b.rough_boundary() : b.boundary()) {}

  void run(Penetration& found) {
    const double slack = slack_of(to_a_.solid(), to_b_.solid());
    // what is found is known to within the slack, and nothing below it is
    Goal goal = goal_;
    goal.limit = std::max(goal_.limit - slack, slack);
    Bracket bracket(goal);
    SurfaceSearch surfaces(to_a_, to_b_, bracket, workers_);
    if (overlap_.overlay()) {
      surfaces.add(*overlap_.overlay(), overlap_.pieces());
    } else {
      surfaces.add_all(overlap_.box());
    }
    double upper = kInfinity;
    if (bracket.lower() > 0) {
      find_ways(bracket, slack, found);
      upper = way_length(bracket, found, upper);
    }
    if (upper == kInfinity) {
      surfaces.run();
      find_ways(bracket, slack, found);
      upper = search_core(bracket, found);
    }
    found.lower = std::max(bracket.lower() - slack, 0.0);
    found.upper = upper + slack;
    // distances are too short where shells overlap
    if (is_rough_)
      found.upper = std::max(found.upper, way_out_of_box(to_a_.solid(), to_b_.solid()));
    std::copy_n(bracket.point(), 3, found.point);
  }

  void find_within(Penetration& found) {
    if (!(found.lower > goal_.limit)) return;
    if (!(goal_.limit > 0)) {
      found.within = exactly_within(found.relation);
      return;
    }
    const double limit = goal_.limit;
    found.within = exactly_within(found.relation);
    const Overlay* overlay = overlap_.overlay();
    const auto add = [&](Penetration::Within bit, DistanceTo& own, DistanceTo& other, int surface) {
      if (!(found.within & bit) && lies_within(own, other, limit, overlay, surface)) {
        found.within |= bit;
      }
    };
    add(Penetration::a_in_b, to_a_, to_b_, 0);
    add(Penetration::b_in_a, to_b_, to_a_, 1);
    constexpr unsigned both = Penetration::a_in_b | Penetration::b_in_a;
    if (found.within == both && stays_within(to_a_, to_b_, limit, Beyond::either_side) &&
        stays_within(to_b_, to_a_, limit, Beyond::either_side)) {
      found.within |= Penetration::same_surface;
    }
  }

  void compare_facets(const Sagittas& sagittas, Penetration& found) {
    if (!sagittas.a || !(found.upper > goal_.limit)) return;
    found.is_of_facets = is_within_facets(to_a_, to_b_, sagittas, goal_.limit,
                                          kRoundings * slack_of(to_a_.solid(), to_b_.solid()),
                                          found.point, overlap_.overlay());
  }

 private:
  static unsigned exactly_within(Relation relation) {
    if (relation == Relation::a_inside) return Penetration::a_in_b;
    if (relation == Relation::b_inside) return Penetration::b_in_a;
    if (relation != Relation::equal) return 0;
    return Penetration::a_in_b | Penetration::b_in_a | Penetration::same_surface;
  }

  // From the deepest point the shortest way to each boundary.
  void find_ways(const Bracket& bracket, double slack, Penetration& found) {
    found.ways.clear();
    add_way(to_b_, bracket.point(), -1, bracket, slack, found);
    add_way(to_a_, bracket.point(), 1, bracket, slack, found);
    std::sort(found.ways.begin(), found.ways.end(),
              [](const Way& x, const Way& y) { return x.length < y.length; });
  }

  // A point of b goes to the boundary of a, or that of b goes to a point of a.
  void add_way(DistanceTo& to, const double* point, int sign, const Bracket& bracket, double slack,
               Penetration& found) {
    const double distance = to.find(point);
    // the deepest point is on one of the surfaces; where they are flush it may be on both
    if (!(distance > slack) && bracket.lower() > slack) return;
    // of points that are close together a difference is rounded more than the normal of a face
    const Triangle face = to.triangle();
    Vector out = to.outward(face);
    if (distance > slack && !(dot(out, from_to(point, face[0])) > (1 - kFlat) * distance)) {
      out = scaled(from_to(point, to.nearest()), 1 / distance);
    }
    if (!(dot(out, out) > 0)) return;
    const Vector unit = scaled(out, sign);
    found.ways.push_back({unit, overlap_.width(unit)});
  }

  // How deep any common point can be. Let one be deeper than any on the surfaces: all around it is
  // common too, as far as it is deeper than them, and no ball among the common points is thicker
  // than they are in any direction.
  double search_core(Bracket& bracket, Penetration& found) {
    double cap = kInfinity;
    const double on_surfaces = bracket.upper();
    for (const Way& way : found.ways) cap = std::min(cap, on_surfaces + 0.5 * way.length);
    if (bracket.is_enough(cap)) return cap;
    if (const double length = way_length(bracket, found, cap); length < cap) return length;
    std::array<bool, 2> rises;
    parallel_for(workers_, 2, 1, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) rises[i] = rises_throughout(static_cast<int>(i), found, cap);
    });
    if (rises[0] && rises[1]) return on_surfaces;
    CoreSearch(to_a_, to_b_, bracket, on_surfaces, cap, rises).run(found.measures.bounds, workers_);
    return bracket.upper();
  }

  // Whether the distance from the boundary of a solid has no greatest value among common points.
  // These are in a ball, and from the greatest value of one, at most the cap, the faces that are
  // closest are seen on all sides.
  bool rises_throughout(int solid, const Penetration& found, double cap) const {
    if (!overlap_.overlay() || !(cap < kInfinity)) return false;
    double centre[3];
    const Bounds& box = found.measures.bounds;
    for (int k = 0; k < 3; ++k) centre[k] = 0.5 * (box.lo[k] + box.hi[k]);
    const double reach = (overlap_.radius(centre) + cap) * (1 + kFlat);
    // not many more than were looked at for the overlap
    const std::size_t most =
        kFacesEach * (overlap_.overlay()->part(solid).whole_faces().size() + kFewFaces);
    return boundary_is_one_way((solid == 0 ? to_a_ : to_b_).tree(), centre, reach, most);
  }

  // No point is deeper than the way that parts them is long; `cap` when none is short enough.
  double way_length(const Bracket& bracket, const Penetration& found, double cap) const {
    for (const Way& way : found.ways) {
      if (way.length >= cap || !bracket.is_enough(way.length)) continue;
      if (const auto by = verified(overlap_.placed(0), b_, way)) {
        return std::max(bracket.lower(), std::sqrt(dot(*by, *by)));
      }
    }
    return cap;
  }

  const Solid& b_;
  const Overlap& overlap_;
  const Goal goal_;
  const bool is_rough_;
  const int workers_;
  DistanceTo to_a_, to_b_;
};

}  // namespace

Penetration penetration_near_one(const Solid& a, const Solid& b, const Goal& goal,
                                 const Sagittas& sagittas, int workers,
                                 const Ticker::Callback& tick) {
  Penetration found;
  found.relation = relation_of(PlacedSolid(a, Pose()), PlacedSolid(b, Pose()), workers, tick);
  if (!found.is_overlap()) return found;
  Overlap overlap(a, b, workers, tick);
  found.measures = overlap.measure(workers);
  // the boundary of solids whose shells overlap takes long, and often is not needed
  const bool is_rough = !overlap.overlay();
  std::optional<DepthSearch> search(std::in_place, a, b, overlap, goal, is_rough, workers);
  search->run(found);
  if (is_rough && !(found.lower > goal.limit)) {
    search.emplace(a, b, overlap, goal, false, workers);
    search->run(found);
  }
  search->find_within(found);
  search->compare_facets(sagittas, found);
  return found;
}

}  // namespace impinge::depth
