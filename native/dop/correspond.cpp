#include "dop/correspond.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impinge::dop {
namespace {

constexpr double kFloatUnit = 0x1p-24;
constexpr double kSpan = 1.7321;  // more than |b|_1 of every direction, and than |b x| for |x| <= 1
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float round_up(double x) {
  if (!(std::fabs(x) < 1e30)) return kInfinity;
  return std::nextafter(static_cast<float>(x), kInfinity);
}

struct Row {
  int at[3];
  double c[3];
};

// The cone with u in it; of several, and when rounding leaves none, the one it is deepest in.
Row cone_of(const Directions& directions, const double (&u)[3]) {
  Row best{};
  double deepest = -std::numeric_limits<double>::infinity();
  directions.for_facets_along(u, [&](const Directions::Facet& facet) {
    Row row{{facet.at[0], facet.at[1], facet.at[2]}, {}};
    for (int l = 0; l < 3; ++l) {
      const double* m = facet.inverse[l];
      row.c[l] = m[0] * u[0] + m[1] * u[1] + m[2] * u[2];
    }
    const double depth = std::min({row.c[0], row.c[1], row.c[2]});
    if (depth > deepest) {
      deepest = depth;
      best = row;
    }
  });
  return best;
}

}  // namespace

Between::Between(const PlacedFrame& aligned, const PlacedFrame& tumbled) {
  const FrameMap relative(aligned, tumbled);
  std::copy_n(&relative.matrix[0][0], 9, &matrix[0][0]);
  std::copy_n(relative.shift, 3, shift);
  gap = relative.own_error;
  error = relative.error;
  reach =
      relative.widening + std::max({std::fabs(shift[0]), std::fabs(shift[1]), std::fabs(shift[2])});
}

Between::Between(const PlacedFrame& alone) : matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, shift{} {
  error = self_error(alone);
  gap = 2.0 * error;
  reach = 1;
}

void Between::point(const float* from, float* to) const {
  const double x = from[0], y = from[1], z = from[2];
  for (int i = 0; i < 3; ++i) {
    const double* m = matrix[i];
    to[i] = static_cast<float>(((m[0] * x + m[1] * y) + m[2] * z) + shift[i]);
  }
}

Correspondence::Correspondence(const Directions& directions, const Between& between) {
  for (int l = 0; l < 3; ++l) {
    std::fill_n(c[l], kRoom, 0.0f);
    std::fill_n(from[l], kRoom, 0);
  }
  std::fill_n(shift, kRoom, kInfinity);
  const int half = directions.count() / 2;
  for (int i = 0; i < half; ++i) {
    double u[3], along = 0;
    for (int j = 0; j < 3; ++j) {
      u[j] = 0;
      for (int a = 0; a < 3; ++a) u[j] += between.matrix[a][j] * directions.at(i, a);
      along += directions.at(i, j) * between.shift[j];
    }
    const Row row = cone_of(directions, u);
    double rest[3] = {u[0], u[1], u[2]}, sum = 0;
    const int plus = i, minus = directions.opposite(i);
    for (int l = 0; l < 3; ++l) {
      const auto rounded = static_cast<float>(std::max(row.c[l], 0.0));
      c[l][plus] = c[l][minus] = rounded;
      // lanes hold the row of the opposite direction, and the cone of -u is opposite to that of u
      from[l][minus] = row.at[l];
      from[l][plus] = directions.opposite(row.at[l]);
      sum += rounded;
      for (int j = 0; j < 3; ++j) rest[j] -= rounded * directions.at(row.at[l], j);
    }
    const double size = kSpan * (sum + between.reach);
    // 1e-14 of all sizes covers the float64 roundings of u, `along` and `rest`
    const double slack = std::fabs(rest[0]) + std::fabs(rest[1]) + std::fabs(rest[2]) +
                         kSpan * between.gap + (5 * kFloatUnit + 1e-14) * size;
    shift[minus] = round_up(along + slack);
    shift[plus] = round_up(slack - along);
  }
  // A mapped vertex is rounded once; its product with a direction, and the margin, at most four
  // times more.
  leaf_margin = round_up(kSpan * (between.gap + 6 * kFloatUnit * between.reach));
}

}  // namespace impinge::dop
