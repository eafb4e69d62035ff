// Fuzzy C-means (Bezdek 1981): centres that minimise J = sum_i sum_l u_il^m |x_i - c_l|^2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::cdfc {

// (n, 3) row by row.
using Rows = std::vector<double>;

struct FcmRules {
  double fuzziness = 2;  // m > 1
  int iterations = 20;   // at most
  double tolerance = 0;  // ends when no centre moves further
};

// Centres (count, 3) among the points (n, 3), far from each other: each is drawn with a chance
// proportional to its squared distance from those before it. Fewer when points are fewer.
Rows seed_centres(const double* points, std::size_t n, std::size_t count, std::uint64_t seed);

// Moves the centres. Returns J before each move; it never rises. The same for any number of
// workers.
std::vector<double> fcm(const double* points, std::size_t n, const FcmRules& rules, int workers,
                        Rows& centres);

// u (n, c): how much each point belongs to each centre; rows add up to one. A point on centres is
// shared by them alone.
void memberships(const double* points, std::size_t n, const Rows& centres, double fuzziness,
                 double* u);

}  // namespace impinge::cdfc
