#include "dop/directions.hpp"

#include <cmath>

namespace impinge::dop {
namespace {

using Signs = std::array<int, 3>;

constexpr Signs kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr Signs kFaceDiagonals[] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                    {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
// 24 directions go without the last.
constexpr Signs kBodyDiagonals[] = {{1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};

std::vector<Signs> half_of(int k) {
  std::vector<Signs> half(std::begin(kAxes), std::end(kAxes));
  if (k >= 18) half.insert(half.end(), std::begin(kFaceDiagonals), std::end(kFaceDiagonals));
  if (k == 14 || k == 26) {
    half.insert(half.end(), std::begin(kBodyDiagonals), std::end(kBodyDiagonals));
  }
  if (k == 24) half.insert(half.end(), kBodyDiagonals, kBodyDiagonals + 3);
  return half;
}

double determinant(const double (&m)[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

}  // namespace

const Directions* Directions::of(int k) {
  static const Directions sets[] = {Directions(6), Directions(14), Directions(18), Directions(24),
                                    Directions(26)};
  for (const Directions& set : sets) {
    if (set.k_ == k) return &set;
  }
  return nullptr;
}

Directions::Directions(int k) : k_(k) {
  const std::vector<Signs> half = half_of(k);
  for (int i = 0; i < k / 2; ++i) {
    const Signs& s = half[i];
    const double length = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (int c = 0; c < 3; ++c) {
      axis_[c][i] = static_cast<float>(s[c] / length);
      axis_[c][i + k / 2] = -axis_[c][i];
    }
  }
  // Every triple with all other directions on one side of its plane. Where more than three lie in
  // one plane the triples overlap, which is as good: all that matters is that no cone is missing.
  constexpr double kFlat = 1e-6;
  for (int p = 0; p < k; ++p) {
    for (int q = p + 1; q < k; ++q) {
      for (int r = q + 1; r < k; ++r) {
        double m[3][3];  // columns are the three directions
        for (int c = 0; c < 3; ++c) {
          m[c][0] = at(p, c);
          m[c][1] = at(q, c);
          m[c][2] = at(r, c);
        }
        const double det = determinant(m);
        if (std::fabs(det) < kFlat) continue;
        Facet facet{{p, q, r}, {}};
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            facet.inverse[i][j] = (m[j1][i1] * m[j2][i2] - m[j1][i2] * m[j2][i1]) / det;
          }
        }
        // In their plane the coefficients add up to one.
        bool hull = true;
        for (int i = 0; i < k && hull; ++i) {
          double sum = 0;
          for (const auto& row : facet.inverse) {
            for (int c = 0; c < 3; ++c) sum += row[c] * at(i, c);
          }
          hull = sum <= 1 + kFlat;
        }
        if (hull) facets_.push_back(facet);
      }
    }
  }
  for (int c = 0; c < 3; ++c) {
    normal_[c].resize((facets_.size() + kLanes - 1) / kLanes * kLanes);
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      const auto& m = facets_[i].inverse;
      normal_[c][i] = static_cast<float>(m[0][c] + m[1][c] + m[2][c]);
    }
  }
}

}  // namespace impinge::dop
