#include "cdfc/fcm.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"

namespace impinge::cdfc {
namespace {

// Points whose sums are formed in one go; the order of adding them up is then fixed.
constexpr std::size_t kBlock = 256;
constexpr std::size_t kPartialSums = 8;

// Centres by coordinate, in whole groups of partial sums; those beyond the last are infinitely far.
class Centres {
 public:
  explicit Centres(const Rows& rows)
      : count((rows.size() / 3 + kPartialSums - 1) / kPartialSums * kPartialSums) {
    for (int k = 0; k < 3; ++k) {
      at_[k].assign(count, INFINITY);
      for (std::size_t l = 0; l < rows.size() / 3; ++l) at_[k][l] = rows[3 * l + k];
    }
  }
  const double* operator[](int k) const { return at_[k].data(); }

  const std::size_t count;

 private:
  std::vector<double> at_[3];
};

// Memberships of one point after the other.
class Memberships {
 public:
  Memberships(const Centres& centres, double fuzziness)
      : u(centres.count), centres_(centres), fuzziness_(fuzziness), squared_(centres.count) {}

  // Returns what the point adds to J: with q_l = (d_min / d_l)^(2 / (m - 1)) it is
  // d_min^2 (sum q)^(1 - m).
  double find(const double* point) {
    const std::size_t n = centres_.count;
    const double *cx = centres_[0], *cy = centres_[1], *cz = centres_[2];
    const double x = point[0], y = point[1], z = point[2];
    double* squared = squared_.data();
    double nearest[kPartialSums], sums[kPartialSums] = {};
    std::fill_n(nearest, kPartialSums, INFINITY);
    for (std::size_t l = 0; l < n; l += kPartialSums) {
      for (std::size_t k = 0; k < kPartialSums; ++k) {
        const double dx = cx[l + k] - x, dy = cy[l + k] - y, dz = cz[l + k] - z;
        const double d = dx * dx + dy * dy + dz * dz;
        squared[l + k] = d;
        nearest[k] = d < nearest[k] ? d : nearest[k];
      }
    }
    const double least = *std::min_element(nearest, nearest + kPartialSums);
    double* q = u.data();
    if (least == 0) {
      for (std::size_t l = 0; l < n; ++l) q[l] = squared[l] == 0 ? 1.0 : 0.0;
    } else if (fuzziness_ == 2) {
      for (std::size_t l = 0; l < n; ++l) q[l] = least / squared[l];
    } else {
      for (std::size_t l = 0; l < n; ++l) {
        q[l] = std::pow(least / squared[l], 1 / (fuzziness_ - 1));
      }
    }
    for (std::size_t l = 0; l < n; l += kPartialSums) {
      for (std::size_t k = 0; k < kPartialSums; ++k) sums[k] += q[l + k];
    }
    double sum = 0;
    for (const double s : sums) sum += s;
    const double factor = 1 / sum;
    for (std::size_t l = 0; l < n; ++l) q[l] *= factor;
    return least * (fuzziness_ == 2 ? factor : std::pow(sum, 1 - fuzziness_));
  }

  // u^m in place of u.
  void raise() {
    if (fuzziness_ == 2) {
      for (double& x : u) x *= x;
    } else {
      for (double& x : u) x = std::pow(x, fuzziness_);
    }
  }

  std::vector<double> u;

 private:
  const Centres& centres_;
  const double fuzziness_;
  std::vector<double> squared_;
};

// Sums of u^m and u^m x of one block, and its part of J.
struct Sums {
  std::vector<double> weight, moment[3];
  double objective = 0;

  void find(const Centres& centres, const double* points, std::size_t n, Memberships& memberships) {
    const std::size_t count = centres.count;
    weight.assign(count, 0);
    for (auto& m : moment) m.assign(count, 0);
    objective = 0;
    double *w = weight.data(), *mx = moment[0].data(), *my = moment[1].data(),
           *mz = moment[2].data();
    for (std::size_t i = 0; i < n; ++i) {
      const double *p = points + 3 * i, x = p[0], y = p[1], z = p[2];
      objective += memberships.find(p);
      memberships.raise();
      const double* u = memberships.u.data();
      for (std::size_t l = 0; l < count; ++l) {
        w[l] += u[l];
        mx[l] += u[l] * x;
        my[l] += u[l] * y;
        mz[l] += u[l] * z;
      }
    }
  }
};

// A generator of its own, so that the same seed gives the same centres everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double next() {  // in [0, 1)
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Rows seed_centres(const double* points, std::size_t n, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Rows centres;
  std::vector<double> squared(n, INFINITY);
  std::size_t chosen = static_cast<std::size_t>(random.next() * static_cast<double>(n));
  while (n > 0 && centres.size() < 3 * count) {
    const double* c = points + 3 * chosen;
    centres.insert(centres.end(), c, c + 3);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double* p = points + 3 * i;
      const double dx = p[0] - c[0], dy = p[1] - c[1], dz = p[2] - c[2];
      squared[i] = std::min(squared[i], dx * dx + dy * dy + dz * dz);
      sum += squared[i];
    }
    if (!(sum > 0)) break;  // all points are centres
    double left = random.next() * sum;
    chosen = n;
    for (std::size_t i = 0; i < n && left >= 0; ++i) {
      if (squared[i] == 0) continue;
      chosen = i;
      left -= squared[i];
    }
  }
  return centres;
}

std::vector<double> fcm(const double* points, std::size_t n, const FcmRules& rules, int workers,
                        Rows& rows) {
  std::vector<double> objective;
  const std::size_t blocks = (n + kBlock - 1) / kBlock;
  std::vector<Sums> sums(blocks);
  while (n > 0 && objective.size() < static_cast<std::size_t>(rules.iterations)) {
    const Centres centres(rows);
    parallel_for(workers, blocks, 1, [&](std::size_t b, std::size_t end, int) {
      Memberships memberships(centres, rules.fuzziness);
      for (; b < end; ++b) {
        const std::size_t first = b * kBlock;
        sums[b].find(centres, points + 3 * first, std::min(kBlock, n - first), memberships);
      }
    });
    for (std::size_t b = 1; b < blocks; ++b) {
      sums[0].objective += sums[b].objective;
      for (std::size_t l = 0; l < centres.count; ++l) {
        sums[0].weight[l] += sums[b].weight[l];
        for (int k = 0; k < 3; ++k) sums[0].moment[k][l] += sums[b].moment[k][l];
      }
    }
    objective.push_back(sums[0].objective);
    double furthest = 0;
    for (std::size_t l = 0; l < rows.size() / 3; ++l) {
      if (!(sums[0].weight[l] > 0)) continue;
      double squared = 0;
      for (int k = 0; k < 3; ++k) {
        const double moved = sums[0].moment[k][l] / sums[0].weight[l];
        squared += (moved - rows[3 * l + k]) * (moved - rows[3 * l + k]);
        rows[3 * l + k] = moved;
      }
      furthest = std::max(furthest, squared);
    }
    if (furthest <= rules.tolerance * rules.tolerance) break;
  }
  return objective;
}

void memberships(const double* points, std::size_t n, const Rows& rows, double fuzziness,
                 double* u) {
  const Centres centres(rows);
  Memberships found(centres, fuzziness);
  const std::size_t count = rows.size() / 3;
  for (std::size_t i = 0; i < n; ++i) {
    found.find(points + 3 * i);
    std::copy_n(found.u.data(), count, u + i * count);
  }
}

}  // namespace impinge::cdfc
