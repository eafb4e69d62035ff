#include "raster/exact.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>

#include "base/pool.hpp"
#include "base/sort.hpp"
#include "geometry/triangle_box.hpp"

namespace impinge::raster {
namespace {

// Rows of the image that are swept together: not much higher than most boxes.
constexpr std::int32_t kStripRows = 8;

// A candidate as the sweep sees it.
struct Swept {
  std::int32_t left, right, top, bottom;  // the clipped box
  std::int32_t near, far;                 // depths of the whole triangle
  std::int32_t body;
  std::uint32_t candidate;
};

// Sweeps one strip of the image after the other; belongs to one thread.
class Sweeper {
 public:
  std::uint64_t tests = 0;

  Sweeper(const ExactQuery& query, std::span<const std::int32_t> ids,
          std::vector<std::atomic<bool>>& paired, Buffer<Key>& keys)
      : query_(query), ids_(ids), paired_(paired), keys_(keys) {}

  // `all` are the candidates that reach the strip, which begins at `top`. A pair is tested in the
  // strip where the lower of the two begins, or in the first strip that both reach.
  void sweep(std::span<const Swept> all, std::int32_t top) {
    order_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      order_.push_back(static_cast<std::uint64_t>(all[i].left) << 32 | i);
    }
    sort_keys(order_.data(), order_.size(), 32, spare_);
    sorted_.clear();
    for (const std::uint64_t key : order_) sorted_.push_back(all[static_cast<std::uint32_t>(key)]);
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const Swept p = sorted_[i];
      for (std::size_t j = i + 1; j < sorted_.size() && sorted_[j].left <= p.right; ++j) {
        const Swept& q = sorted_[j];
        if (q.top > p.bottom || p.top > q.bottom || q.near > p.far || p.near > q.far) continue;
        // Both reach the strip above: the pair was met there.
        if (p.top < top && q.top < top) continue;
        if (p.candidate < q.candidate) {
          judge(p, q);
        } else {
          judge(q, p);
        }
      }
    }
  }

 private:
  void judge(const Swept& p, const Swept& q) {
    if (!query_.may_collide(p.body, q.body)) return;
    const auto a = static_cast<std::uint32_t>(ids_[p.candidate]);
    const auto b = static_cast<std::uint32_t>(ids_[q.candidate]);
    const bool own = p.body == q.body;
    if (own && query_.without_neighbours && query_.seen.share_vertex(a, b)) return;
    paired_[p.candidate].store(true, std::memory_order_relaxed);
    paired_[q.candidate].store(true, std::memory_order_relaxed);
    const Triangle s = query_.triangle(a), t = query_.triangle(b);
    if (!TriangleBox(s).meets(TriangleBox(t))) return;
    ++tests;
    const Kind kind = decide(s, t, own, query_.rule);
    if (kind != Kind::none) keys_.push(make_key(a, b, kind));
  }

  const ExactQuery& query_;
  std::span<const std::int32_t> ids_;
  std::vector<std::atomic<bool>>& paired_;
  Buffer<Key>& keys_;
  std::vector<std::uint64_t> order_, spare_;
  std::vector<Swept> sorted_;
};

}  // namespace

void exact_pairs(const ExactQuery& query, std::span<const std::int32_t> ids,
                 const std::int32_t* boxes, int workers, const Ticker::Callback& tick,
                 Findings& findings, ExactCounters& counters) {
  const Seen& seen = query.seen;
  constexpr int kShift = kSubpixelBits + std::countr_zero(std::uint32_t{kStripRows});
  const auto strip_of = [&](std::int32_t y) {
    return static_cast<std::size_t>(std::min(y, 256 * seen.resolution - 1) >> kShift);
  };
  const std::size_t strips = strip_of(256 * seen.resolution) + 1;
  std::vector<std::size_t> first(strips + 1, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t s = strip_of(boxes[4 * i + 1]); s <= strip_of(boxes[4 * i + 3]); ++s) {
      ++first[s + 1];
    }
  }
  for (std::size_t s = 0; s < strips; ++s) first[s + 1] += first[s];
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  std::vector<Swept> swept(first.back());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int32_t* box = boxes + 4 * i;
    const Corners c = seen.corners(ids[i]);
    // Grown by one for what snapping moved the depths.
    const Swept one{box[0],
                    box[2],
                    box[1],
                    box[3],
                    c.nearest() - 1,
                    c.farthest() + 1,
                    seen.body[ids[i]],
                    static_cast<std::uint32_t>(i)};
    for (std::size_t s = strip_of(box[1]); s <= strip_of(box[3]); ++s) swept[next[s]++] = one;
  }

  std::vector<std::atomic<bool>> paired(ids.size());
  std::vector<std::unique_ptr<Sweeper>> sweepers(std::max(1, workers));
  Ticker ticker(strips, tick);
  parallel_for(workers, strips, 1, [&](std::size_t s, std::size_t end, int worker) {
    if (!sweepers[worker]) {
      sweepers[worker] = std::make_unique<Sweeper>(query, ids, paired, findings[worker].keys);
    }
    for (; s < end; ++s) {
      sweepers[worker]->sweep({swept.data() + first[s], swept.data() + first[s + 1]},
                              static_cast<std::int32_t>(s << kShift));
      ticker.done(worker);
    }
  });

  for (const auto& sweeper : sweepers) {
    if (sweeper) counters.tests += sweeper->tests;
  }
  for (const auto& p : paired) {
    counters.potentially_colliding += p.load(std::memory_order_relaxed);
  }
}

}  // namespace impinge::raster
