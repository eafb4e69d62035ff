#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bound_soup.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"
#include "cdfc/cluster.hpp"
#include "cdfc/collide.hpp"

namespace impinge::cdfc {
namespace {

using namespace nb::literals;
using Singles = Given<float, -1>;
using SinglePoints = Given<float, -1, 3>;
using SingleAxes = Given<float, 3, 3>;
using SingleBoxes = Given<float, -1, 2, 3>;
using WideArray = NewArray<std::int64_t, -1>;

Balls balls_of(const Soup& soup) {
  return {{soup.centroid(0), soup.centroid(1), soup.centroid(2)}, soup.radius(), soup.size()};
}

PointArray::Array rows_array(const Rows& rows) {
  PointArray made(rows.size());
  std::copy(rows.begin(), rows.end(), made.data.get());
  return made.give({rows.size() / 3, 3});
}

Rows rows_of(const Points& points) { return Rows(points.data(), points.data() + points.size()); }

void check_fuzziness(double fuzziness) { require(fuzziness > 1, "fuzziness must be above 1"); }

PointArray::Array seed_py(const Points& points, std::size_t count, std::uint64_t seed) {
  Rows centres;
  {
    nb::gil_scoped_release release;
    centres = seed_centres(points.data(), points.shape(0), count, seed);
  }
  return rows_array(centres);
}

std::tuple<PointArray::Array, NewArray<double, -1>::Array> fcm_py(const Points& points,
                                                                  const Points& centres,
                                                                  double fuzziness, int iterations,
                                                                  double tolerance, int workers) {
  check_fuzziness(fuzziness);
  require(iterations >= 0, "iterations must be at least 0");
  require(tolerance >= 0, "tolerance must be at least 0");
  Rows rows = rows_of(centres);
  std::vector<double> objective;
  {
    nb::gil_scoped_release release;
    objective = fcm(points.data(), points.shape(0), {fuzziness, iterations, tolerance},
                    resolve_workers(workers), rows);
  }
  return {rows_array(rows), copied<NewArray<double, -1>>(objective.data(), objective.size())};
}

NewArray<double, -1, -1>::Array memberships_py(const Points& points, const Points& centres,
                                               double fuzziness) {
  check_fuzziness(fuzziness);
  const std::size_t n = points.shape(0), count = centres.shape(0);
  NewArray<double, -1, -1> u(n * count);
  memberships(points.data(), n, rows_of(centres), fuzziness, u.data.get());
  return u.give({n, count});
}

MemberRules rules_of(const std::string& rule, double threshold, double fuzziness) {
  check_fuzziness(fuzziness);
  MemberRules rules{MemberRule::bisector, threshold, fuzziness};
  if (rule == "generous") {
    rules.rule = MemberRule::generous;
  } else if (rule == "absolute") {
    rules.rule = MemberRule::absolute;
  } else {
    require(rule == "bisector", "the rule must be bisector, generous or absolute");
  }
  return rules;
}

Rows centres_of(const Points& centres) {
  require(centres.shape(0) > 0, "at least one centre is needed");
  Rows rows = rows_of(centres);
  for (const double x : rows) require(x >= -1 && x <= 1, "centres must be within the frame");
  return rows;
}

std::tuple<WideArray::Array, IndexArray::Array> members_py(const BoundSoup& soup,
                                                           const Points& centres,
                                                           const std::string& rule,
                                                           double threshold, double fuzziness,
                                                           int workers) {
  const MemberRules rules = rules_of(rule, threshold, fuzziness);
  const Rows rows = centres_of(centres);
  Members found;
  {
    nb::gil_scoped_release release;
    found = members(balls_of(soup.soup()), rows, rules, resolve_workers(workers));
  }
  return {copied<WideArray>(found.start.data(), found.start.size()),
          copied<IndexArray>(found.of_cluster.data(), found.of_cluster.size())};
}

std::vector<std::uint32_t> chosen_of(const BoundSoup& soup, const Indices& triangles) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < triangles.shape(0); ++i) {
    chosen.push_back(static_cast<std::uint32_t>(triangles(i)));
    require(chosen.back() < soup.soup().size(), "triangles must be those of the soup");
  }
  return chosen;
}

NewArray<float, 3, 3>::Array axes_py(const BoundSoup& soup, const Indices& triangles) {
  const Axes axes = principal_axes(balls_of(soup.soup()), chosen_of(soup, triangles));
  NewArray<float, 3, 3> rows(9);
  std::copy_n(&axes.row[0][0], 9, rows.data.get());
  return rows.give({3, 3});
}

NewArray<float, -1, 2, 3>::Array boxes_py(const BoundSoup& soup, const Indices& triangles,
                                          const SingleAxes& axes) {
  const std::vector<std::uint32_t> chosen = chosen_of(soup, triangles);
  Axes rows;
  std::copy_n(axes.data(), 9, &rows.row[0][0]);
  std::vector<TurnedBox> boxes(chosen.size());
  turned_boxes(soup.soup().points(), soup.soup().corners(0), chosen, rows, boxes.data());
  NewArray<float, -1, 2, 3> made(6 * boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::copy_n(boxes[i].low, 3, made.data.get() + 6 * i);
    std::copy_n(boxes[i].high, 3, made.data.get() + 6 * i + 3);
  }
  return made.give({boxes.size(), 2, 3});
}

IndexArray::Array order_py(const Singles& keys) {
  RadixSort radix;
  const std::size_t n = keys.shape(0);
  const std::uint64_t* sorted = radix.sort(n, [&](std::size_t i) { return keys(i); });
  IndexArray order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order.data[i] = static_cast<std::int32_t>(RadixSort::position(sorted[i]));
  }
  return order.give({n});
}

std::tuple<IndexArray::Array, WideArray::Array> count_py(const Singles& start, const Singles& end) {
  const std::size_t n = start.shape(0);
  require(end.shape(0) == n, "start and end must have equal lengths");
  require(std::is_sorted(start.data(), start.data() + n), "start must be sorted");
  for (std::size_t i = 0; i < n; ++i) require(start(i) <= end(i), "start must not be above end");
  std::vector<std::uint32_t> count(n);
  std::vector<std::uint64_t> offset(n + 1);
  count_overlaps(start.data(), end.data(), n, count.data(), offset.data());
  return {copied<IndexArray>(count.data(), n), copied<WideArray>(offset.data(), n + 1)};
}

std::tuple<PairArray::Array, std::uint64_t> collect_py(const SingleBoxes& boxes,
                                                       const Indices& count) {
  const std::size_t n = boxes.shape(0);
  require(count.shape(0) == n, "one count per box is needed");
  std::vector<float> column[2][3];
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 3; ++k) {
      column[side][k].resize(n + kLanes);
      for (std::size_t i = 0; i < n; ++i) column[side][k][i] = boxes(i, side, k);
    }
  }
  const float* const low[3] = {column[0][0].data(), column[0][1].data(), column[0][2].data()};
  const float* const high[3] = {column[1][0].data(), column[1][1].data(), column[1][2].data()};
  std::vector<std::int32_t> pairs;
  Overlaps overlaps;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t last = i + 1 + static_cast<std::uint32_t>(count(i));
    require(last <= n, "a count goes beyond the last box");
    collect(low, high, i, last, overlaps, [&](std::size_t j, unsigned mask) {
      for_each_bit(mask, [&](int lane) {
        pairs.push_back(static_cast<std::int32_t>(i));
        pairs.push_back(static_cast<std::int32_t>(j) + lane);
      });
    });
  }
  PairArray made(pairs.size());
  std::copy(pairs.begin(), pairs.end(), made.data.get());
  return {made.give({pairs.size() / 2, 2}), overlaps.y_pairs};
}

ScenePairs collide_py(const BoundSoup& soup, const Points& centres, const std::string& rule,
                      double threshold, double fuzziness, bool touching, bool report_duplicates,
                      int workers, nb::object tick) {
  const MemberRules rules = rules_of(rule, threshold, fuzziness);
  const Rows rows = centres_of(centres);
  const Ticker::Callback callback = make_tick(std::move(tick));
  Counters counters;
  std::optional<SceneColumns> columns;
  std::size_t copies = 0;
  double member_seconds = 0;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    Stopwatch watch;
    const Members found = members(balls_of(soup.soup()), rows, rules, threads);
    copies = found.copies();
    member_seconds = watch.lap();
    const SoupQuery query{soup.soup(), soup.wanted(), {touching, report_duplicates}};
    columns.emplace(collide(query, found, threads, callback, counters), soup.ends(), threads);
  }
  Counts d;
  d["cluster_seconds"] = member_seconds;
  d["clusters"] = centres.shape(0);
  d["copies"] = copies;
  d["pca_seconds"] = counters.pca_seconds;
  d["boxes_seconds"] = counters.boxes_seconds;
  d["sort_seconds"] = counters.sort_seconds;
  d["collect_seconds"] = counters.collect_seconds;
  d["sweep_pairs"] = counters.sweep_pairs;
  d["y_pairs"] = counters.y_pairs;
  d["z_pairs"] = counters.z_pairs;
  d["intersect_seconds"] = counters.intersect_seconds;
  d["tests"] = counters.tally.candidates;
  d["undecided"] = counters.tally.undecided;
  d["star_tests"] = counters.tally.star_tests;
  d["hits"] = columns->n;
  return columns->give(std::move(d));
}

}  // namespace
}  // namespace impinge::cdfc

namespace impinge {

void bind_cdfc(nb::module_& m) {
  using namespace nb::literals;
  m.def("fcm_seed", &cdfc::seed_py, "points"_a, "count"_a, "seed"_a,
        "(count, 3) points far from each other, drawn; fewer when points are fewer.");
  m.def("fcm", &cdfc::fcm_py, "points"_a, "centres"_a, "fuzziness"_a, "iterations"_a, "tolerance"_a,
        "workers"_a = 0, "Fuzzy C-means: the moved centres and the objective before each move.");
  m.def("fcm_memberships", &cdfc::memberships_py, "points"_a, "centres"_a, "fuzziness"_a,
        "(n, c) memberships; rows add up to one.");
  m.def("cdfc_members", &cdfc::members_py, "soup"_a, "centres"_a, "rule"_a, "threshold"_a,
        "fuzziness"_a, "workers"_a = 0,
        "Triangles of each cluster: those of cluster l are triangles[start[l]:start[l + 1]]. "
        "Returns (start, triangles).");
  m.def("cdfc_axes", &cdfc::axes_py, "soup"_a, "triangles"_a,
        "(3, 3) principal axes of the centroids of some triangles, row by row.");
  m.def("cdfc_boxes", &cdfc::boxes_py, "soup"_a, "triangles"_a, "axes"_a,
        "(n, 2, 3) lowest and highest coordinates along the axes, rounded outward.");
  m.def("radix_order", &cdfc::order_py, "keys"_a, "Positions of the keys in ascending order.");
  m.def("count_overlaps", &cdfc::count_py, "start"_a, "end"_a,
        "Of intervals sorted by start: how many later ones start within each, and the running "
        "totals (n + 1,).");
  m.def("cdfc_collect", &cdfc::collect_py, "boxes"_a, "count"_a,
        "Of boxes (n, 2, 3) sorted by their first coordinate: pairs that overlap along all axes, "
        "and the number of those that overlap along two.");
  m.def("cdfc_collide", &cdfc::collide_py, "soup"_a, "centres"_a, "rule"_a, "threshold"_a,
        "fuzziness"_a, "touching"_a, "report_duplicates"_a, "workers"_a, "tick"_a.none(),
        "Colliding pairs of the soup: (pairs, bodies, kinds, counters), sorted.");
}

}  // namespace impinge
