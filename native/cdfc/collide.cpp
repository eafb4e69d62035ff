#include "cdfc/collide.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "base/sum.hpp"
#include "cdfc/cluster.hpp"
#include "mesh/corners.hpp"
#include "pairs/findings.hpp"

namespace impinge::cdfc {
namespace {

// Overlaps along the first axis that are looked at in one task.
constexpr std::uint64_t kPiece = 1 << 17;

struct Piece {
  const Cluster* cluster;
  std::size_t begin, end;  // rows
};

struct Times {
  double pca = 0, boxes = 0, sort = 0, count = 0, collect = 0, intersect = 0;
};

// Looks at rows of clusters; belongs to one thread.
class Collector {
 public:
  Collector(const SoupQuery& query, const Members& members, Buffer<Key>& keys)
      : pairs(query, keys),
        query_(query),
        members_(members),
        own_(!query.wanted.never_own()),
        listed_(!query.wanted.all() && (own_ || query.wanted.only())) {}

  void piece(const Piece& piece) {
    watch_.lap();
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      own_ ? row<true>(*piece.cluster, i) : row<false>(*piece.cluster, i);
    }
    intersect(*piece.cluster);
  }

  SoupPairs pairs;
  Overlaps overlaps;
  Times times;

 private:
  static constexpr std::size_t kPairs = 4096;

  template <bool kOwn>
  void row(const Cluster& c, std::size_t i) {
    const float* const low[3] = {c.low[0].data(), c.low[1].data(), c.low[2].data()};
    const float* const high[3] = {c.high[0].data(), c.high[1].data(), c.high[2].data()};
    collect(low, high, i, i + 1 + c.overlaps[i], overlaps, [&](std::size_t j, unsigned mask) {
      mask &= kOwn ? ~sharing(c, i, j) : ~same_body(c, i, j);
      // All eight are written, to spare a loop whose end cannot be predicted.
      for (int lane = 0; lane < kLanes; ++lane) {
        partners_[count_ + lane] = static_cast<std::uint32_t>(j) + kPacked[mask][lane];
      }
      count_ += static_cast<std::size_t>(std::popcount(mask));
      if (count_ >= kPairs) {
        runs_.push({i, count_});
        intersect(c);
      }
    });
    if (count_ > 0) runs_.push({i, count_});
  }

  // Triangles with a common corner are left to the stars.
  static unsigned sharing(const Cluster& c, std::size_t i, std::size_t j) {
    const auto& [p, q, r] = c.corner;
    return impinge::sharing(
        {Int8(p[i]), Int8(q[i]), Int8(r[i])},
        {Int8::loadu(p.data() + j), Int8::loadu(q.data() + j), Int8::loadu(r.data() + j)});
  }
  static unsigned same_body(const Cluster& c, std::size_t i, std::size_t j) {
    return bits(Int8(c.body[i]) == Int8::loadu(c.body.data() + j));
  }

  static void put(const Cluster& c, std::size_t row, Triangles8& to, int lane) {
    to.id[lane] = c.triangle[row];
    for (int k = 0; k < 3; ++k) to.corner[k][lane] = c.corner[k][row];
  }

  void intersect(const Cluster& c) {
    times.collect += watch_.lap();
    Triangles8 a{}, b{};
    int n = 0;
    std::size_t k = 0;
    for (const auto [i, end] : runs_) {
      for (; k < end; ++k) {
        const std::uint32_t j = partners_[k];
        if (listed_ && !query_.wanted.may_collide(c.body[i], c.body[j])) continue;
        // A pair with several common clusters counts in the lowest.
        if (c.several[i] && c.several[j] &&
            members_.lowest_common(c.triangle[i], c.triangle[j]) != c.index) {
          continue;
        }
        put(c, i, a, n);
        put(c, j, b, n++);
        if (n == kLanes) pairs.add(a, b, std::exchange(n, 0));
      }
    }
    if (n > 0) pairs.add(a, b, n);
    count_ = 0;
    runs_.clear();
    pairs.finish();
    times.intersect += watch_.lap();
  }

  const SoupQuery& query_;
  const Members& members_;
  const bool own_, listed_;
  // Partners of one row after the other, and where those of each end.
  struct Run {
    std::size_t row, end;
  };
  std::unique_ptr<std::uint32_t[]> partners_{new std::uint32_t[kPairs + kLanes]};
  Buffer<Run> runs_;
  std::size_t count_ = 0;
  Stopwatch watch_;
};

}  // namespace

Buffer<Key> collide(const SoupQuery& query, const Members& members, int workers,
                    const Ticker::Callback& tick, Counters& counters) {
  const Soup& soup = query.soup;
  const Balls balls{
      {soup.centroid(0), soup.centroid(1), soup.centroid(2)}, soup.radius(), soup.size()};
  const auto threads = static_cast<std::size_t>(std::max(1, workers));
  Stopwatch wall;

  std::vector<Cluster> clusters(members.clusters);
  std::vector<std::unique_ptr<ClusterMaker>> makers(threads);
  std::vector<Times> times(threads);
  parallel_for(workers, clusters.size(), 1, [&](std::size_t l, std::size_t end, int worker) {
    if (!makers[worker]) makers[worker] = std::make_unique<ClusterMaker>();
    ClusterMaker& maker = *makers[worker];
    Times& spent = times[worker];
    Stopwatch watch;
    for (; l < end; ++l) {
      const auto triangles = members.triangles(l);
      clusters[l].index = static_cast<std::uint32_t>(l);
      const Axes axes = principal_axes(balls, triangles);
      spent.pca += watch.lap();
      maker.box(soup, triangles, axes);
      spent.boxes += watch.lap();
      maker.sort(soup, members, clusters[l]);
      spent.sort += watch.lap();
      ClusterMaker::count(clusters[l]);
      spent.count += watch.lap();
    }
  });
  const double making = wall.lap();

  std::vector<Piece> pieces;
  for (const Cluster& c : clusters) {
    counters.sweep_pairs += c.offset[c.size];
    for (std::size_t begin = 0; begin < c.size;) {
      const auto* last =
          std::upper_bound(c.offset.begin() + begin + 1, c.offset.end(), c.offset[begin] + kPiece);
      const auto end = std::max<std::size_t>(begin + 1, last - c.offset.begin() - 1);
      pieces.push_back({&c, begin, std::min(end, c.size)});
      begin = pieces.back().end;
    }
  }
  Findings findings(workers);
  std::vector<std::unique_ptr<Collector>> collectors(threads);
  const auto collector = [&](int worker) -> Collector& {
    auto& one = collectors[worker];
    if (!one) one = std::make_unique<Collector>(query, members, findings[worker].keys);
    return *one;
  };
  Ticker ticker(pieces.size(), tick);
  parallel_for(workers, pieces.size(), 1, [&](std::size_t p, std::size_t end, int worker) {
    Collector& mine = collector(worker);
    for (; p < end; ++p) {
      mine.piece(pieces[p]);
      ticker.done(worker);
    }
  });
  const double sweeping = wall.lap();

  test_soup_neighbours(query, workers, tick,
                       [&](int worker) -> SoupPairs& { return collector(worker).pairs; });
  const double neighbours = wall.lap();

  Times spent;
  for (const Times& one : times) spent = sum<double>(spent, one);
  for (const auto& one : collectors) {
    if (!one) continue;
    spent = sum<double>(spent, one->times);
    counters.y_pairs += one->overlaps.y_pairs;
    counters.z_pairs += one->overlaps.z_pairs;
    counters.tally = sum(counters.tally, one->pairs.tally);
  }
  Buffer<Key> keys = findings.together();

  // Threads do several stages at once: what the clock showed, shared out by what each took.
  const double made = spent.pca + spent.boxes + spent.sort + spent.count;
  const double swept = spent.collect + spent.intersect;
  const double m = made > 0 ? making / made : 0, s = swept > 0 ? sweeping / swept : 0;
  counters.pca_seconds = m * spent.pca;
  counters.boxes_seconds = m * spent.boxes;
  counters.sort_seconds = m * spent.sort;
  counters.collect_seconds = m * spent.count + s * spent.collect;
  counters.intersect_seconds = s * spent.intersect + neighbours + wall.lap();
  return keys;
}

}  // namespace impinge::cdfc
