#include "cdfc/members.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/lanes.hpp"
#include "base/pool.hpp"

namespace impinge::cdfc {
namespace {

constexpr std::size_t kPart = 4096;  // triangles

// What is wanted of a triangle: its clusters, ascending, appended to a list.
using List = std::vector<std::uint32_t>;

// Centres as float32, in whole groups of lanes; the planes lie between exactly these.
class Centres {
 public:
  explicit Centres(const Rows& rows)
      : count(rows.size() / 3), padded((count + kLanes - 1) / kLanes * kLanes) {
    for (int k = 0; k < 3; ++k) {
      at_[k].resize(padded, 0.0f);
      for (std::size_t l = 0; l < count; ++l) at_[k][l] = static_cast<float>(rows[3 * l + k]);
    }
  }
  Float8 at(int k, std::size_t l) const { return Float8::loadu(at_[k].data() + l); }
  double exactly(int k, std::size_t l) const { return at_[k][l]; }

  const std::size_t count, padded;

 private:
  std::vector<float> at_[3];
};

// (|x - c_l|^2 - |x - c_k|^2) / (2 |c_l - c_k|) <= r, as g_l - g_k <= 2 |c_l - c_k| r with
// g_l = |c_l|^2 - 2 x.c_l.
class Bisector {
 public:
  Bisector(const Centres& centres, const MemberRules&)
      : centres_(centres), n_(centres.padded), g_(n_), squared_(n_, INFINITY), gap_(n_ * n_, 0.0f) {
    for (std::size_t l = 0; l < centres.count; ++l) {
      squared_[l] = static_cast<float>(distance(l, nullptr));
      for (std::size_t k = 0; k < centres.count; ++k) {
        gap_[l * n_ + k] = static_cast<float>(2 * std::sqrt(distance(l, &k)) * (1 + 0x1p-20));
      }
    }
  }

  void find(const float (&x)[3], float radius, List& clusters) {
    const Float8 px(2 * x[0]), py(2 * x[1]), pz(2 * x[2]);
    Float8 least(INFINITY);
    for (std::size_t l = 0; l < n_; l += kLanes) {
      const Float8 dot = px * centres_.at(0, l) + py * centres_.at(1, l) + pz * centres_.at(2, l);
      const Float8 g = Float8::loadu(squared_.data() + l) - dot;
      g.storeu(g_.data() + l);
      least = min(least, g);
    }
    const Float8 nearest(lowest(least));
    std::size_t own = 0;
    for (; own < n_; own += kLanes) {
      const unsigned hit = bits(Float8::loadu(g_.data() + own) <= nearest);
      if (hit) {
        own += static_cast<std::size_t>(std::countr_zero(hit));
        break;
      }
    }
    // Few pass the plane to the nearest centre; only those look at the other planes.
    const Float8 r(radius), slack(kSlack);
    for (std::size_t l = 0; l < n_; l += kLanes) {
      const Float8 reach = Float8::loadu(gap_.data() + own * n_ + l) * r + slack;
      const unsigned near = bits(Float8::loadu(g_.data() + l) - nearest <= reach);
      for_each_bit(near, [&](int lane) {
        const std::size_t cluster = l + static_cast<std::size_t>(lane);
        if (cluster == own || within(cluster, r)) {
          clusters.push_back(static_cast<std::uint32_t>(cluster));
        }
      });
    }
  }

 private:
  // With u = 2^-24 and all coordinates within one, |c|^2 <= 3 and 2 |x.c| <= 6, a g is off by at
  // most 3u + 6u + (4u + 6u) + 9u = 28u, a difference of two of size 18 by 74u, and the other side,
  // at most 25, by 50u.
  static constexpr float kSlack = 256 * 0x1p-24f;

  double distance(std::size_t l, const std::size_t* k) const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double d = centres_.exactly(i, l) - (k ? centres_.exactly(i, *k) : 0.0);
      sum += d * d;
    }
    return sum;
  }

  bool within(std::size_t cluster, Float8 r) const {
    const Float8 own(g_[cluster]), slack(kSlack);
    const float* gap = gap_.data() + cluster * n_;
    for (std::size_t k = 0; k < n_; k += kLanes) {
      const Float8 reach = Float8::loadu(gap + k) * r + slack;
      if (bits(own - Float8::loadu(g_.data() + k) > reach)) return false;
    }
    return true;
  }

  const Centres& centres_;
  const std::size_t n_;
  std::vector<float> g_, squared_, gap_;
};

class Generous {
 public:
  Generous(const Centres& centres, const MemberRules&) : centres_(centres), d_(centres.padded) {}

  void find(const float (&x)[3], float radius, List& clusters) {
    float nearest = INFINITY;
    for (std::size_t l = 0; l < centres_.padded; l += kLanes) {
      Float8 squared(0.0f);
      for (int k = 0; k < 3; ++k) {
        const Float8 d = centres_.at(k, l) - Float8(x[k]);
        squared = squared + d * d;
      }
      sqrt(squared).storeu(d_.data() + l);
    }
    for (std::size_t l = 0; l < centres_.count; ++l) nearest = std::min(nearest, d_[l]);
    // Distances of at most 3.5 are off by less than 16u together with the sum, u = 2^-24.
    const float reach = nearest + 2 * radius + 64 * 0x1p-24f;
    for (std::size_t l = 0; l < centres_.count; ++l) {
      if (d_[l] <= reach) clusters.push_back(static_cast<std::uint32_t>(l));
    }
  }

 private:
  const Centres& centres_;
  std::vector<float> d_;
};

class Absolute {
 public:
  Absolute(const Centres& centres, const MemberRules& rules) : rules_(rules), u_(centres.count) {
    for (std::size_t l = 0; l < centres.count; ++l) {
      for (int k = 0; k < 3; ++k) rows_.push_back(centres.exactly(k, l));
    }
  }

  void find(const float (&x)[3], float, List& clusters) {
    const double point[3] = {x[0], x[1], x[2]};
    memberships(point, 1, rows_, rules_.fuzziness, u_.data());
    const auto highest = std::max_element(u_.begin(), u_.end()) - u_.begin();
    for (std::size_t l = 0; l < u_.size(); ++l) {
      if (u_[l] >= rules_.threshold || l == static_cast<std::size_t>(highest)) {
        clusters.push_back(static_cast<std::uint32_t>(l));
      }
    }
  }

 private:
  const MemberRules& rules_;
  Rows rows_;
  std::vector<double> u_;
};

struct PartLists {
  List clusters, ends;  // of its triangles one after the other, and where each list ends
  std::vector<std::uint32_t> counts;  // by cluster
};

template <class Finder>
void find_parts(const Balls& balls, const Centres& centres, const MemberRules& rules, int workers,
                std::vector<PartLists>& parts) {
  const Finder first(centres, rules);
  parallel_for(workers, parts.size(), 1, [&](std::size_t part, std::size_t end, int) {
    Finder finder(first);
    for (; part < end; ++part) {
      PartLists& lists = parts[part];
      const std::size_t last = std::min(balls.size, (part + 1) * kPart);
      lists.clusters.reserve(kPart + kPart / 2);
      lists.ends.reserve(kPart);
      for (std::size_t i = part * kPart; i < last; ++i) {
        const float x[3] = {balls.at[0][i], balls.at[1][i], balls.at[2][i]};
        finder.find(x, balls.radius[i], lists.clusters);
        lists.ends.push_back(static_cast<std::uint32_t>(lists.clusters.size()));
      }
      lists.counts.assign(centres.count, 0);
      for (const std::uint32_t cluster : lists.clusters) ++lists.counts[cluster];
    }
  });
}

}  // namespace

Members members(const Balls& balls, const Rows& rows, const MemberRules& rules, int workers) {
  const Centres centres(rows);
  std::vector<PartLists> parts((balls.size + kPart - 1) / kPart);
  switch (rules.rule) {
    case MemberRule::bisector:
      find_parts<Bisector>(balls, centres, rules, workers, parts);
      break;
    case MemberRule::generous:
      find_parts<Generous>(balls, centres, rules, workers, parts);
      break;
    case MemberRule::absolute:
      find_parts<Absolute>(balls, centres, rules, workers, parts);
      break;
  }

  // Where each part writes, in both lists.
  Members found;
  found.clusters = centres.count;
  std::vector<std::size_t> offsets;
  std::size_t copies = 0;
  for (const PartLists& part : parts) {
    offsets.push_back(copies);
    copies += part.clusters.size();
  }
  if (copies >> 32) throw std::length_error("more than 2**32 copies of faces: use fewer clusters");
  std::size_t sum = 0;
  for (std::size_t l = 0; l < centres.count; ++l) {
    found.start.push_back(sum);
    for (PartLists& part : parts) {
      const std::uint32_t count = part.counts[l];
      part.counts[l] = static_cast<std::uint32_t>(sum);
      sum += count;
    }
  }
  found.start.push_back(sum);
  found.first.resize(balls.size + 1);
  found.of_triangle.resize(copies);
  found.of_cluster.resize(copies);
  found.first[balls.size] = static_cast<std::uint32_t>(copies);
  parallel_for(workers, parts.size(), 1, [&](std::size_t p, std::size_t end, int) {
    for (; p < end; ++p) {
      PartLists& part = parts[p];
      std::copy(part.clusters.begin(), part.clusters.end(), found.of_triangle.data() + offsets[p]);
      std::uint32_t at = 0;
      for (std::size_t i = 0; i < part.ends.size(); ++i) {
        const std::size_t triangle = p * kPart + i;
        found.first[triangle] = static_cast<std::uint32_t>(offsets[p] + at);
        for (; at < part.ends[i]; ++at) {
          found.of_cluster[part.counts[part.clusters[at]]++] = static_cast<std::uint32_t>(triangle);
        }
      }
    }
  });
  return found;
}

}  // namespace impinge::cdfc
