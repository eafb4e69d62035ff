#include "cdfc/axes.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/symmetric.hpp"

namespace impinge::cdfc {
namespace {

Symmetric covariance(const Balls& balls, std::span<const std::uint32_t> chosen) {
  double mean[3] = {};
  for (const std::uint32_t i : chosen) {
    for (int k = 0; k < 3; ++k) mean[k] += balls.at[k][i];
  }
  for (double& m : mean) m /= static_cast<double>(std::max<std::size_t>(1, chosen.size()));
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  for (const std::uint32_t i : chosen) {
    const double x = balls.at[0][i] - mean[0], y = balls.at[1][i] - mean[1],
                 z = balls.at[2][i] - mean[2];
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

}  // namespace

Axes principal_axes(const Balls& balls, std::span<const std::uint32_t> chosen) {
  Symmetric m = covariance(balls, chosen);
  double v[3][3];
  diagonalize(m, v);
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return m.a[i][i] > m.a[j][j]; });
  double axis[3][3];
  for (int i = 0; i < 2; ++i) {
    int largest = 0;
    for (int k = 0; k < 3; ++k) {
      axis[i][k] = v[k][order[i]];
      if (std::abs(axis[i][k]) > std::abs(axis[i][largest])) largest = k;
    }
    if (axis[i][largest] < 0) {
      for (double& x : axis[i]) x = -x;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    axis[2][k] = axis[0][next] * axis[1][last] - axis[0][last] * axis[1][next];
  }
  Axes axes;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) axes.row[i][k] = static_cast<float>(axis[i][k]);
  }
  return axes;
}

}  // namespace impinge::cdfc
