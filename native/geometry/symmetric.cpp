#include "geometry/symmetric.hpp"

#include <cmath>

namespace impinge {

void diagonalize(Symmetric& m, double (&v)[3][3]) {
  constexpr int kSweeps = 30;
  constexpr int kPlanes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) v[i][j] = i == j ? 1.0 : 0.0;
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    if (m.a[0][1] == 0 && m.a[0][2] == 0 && m.a[1][2] == 0) return;
    for (const auto& [p, q] : kPlanes) {
      if (m.a[p][q] == 0) continue;
      const double theta = (m.a[q][q] - m.a[p][p]) / (2 * m.a[p][q]);
      const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (int k = 0; k < 3; ++k) {
        const double x = m.a[k][p], y = m.a[k][q];
        m.a[k][p] = c * x - s * y;
        m.a[k][q] = s * x + c * y;
      }
      for (int k = 0; k < 3; ++k) {
        const double x = m.a[p][k], y = m.a[q][k];
        m.a[p][k] = c * x - s * y;
        m.a[q][k] = s * x + c * y;
      }
      m.a[p][q] = m.a[q][p] = 0;
      for (auto& row : v) {
        const double x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
      }
    }
  }
}

}  // namespace impinge
