#include "boxes/median_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "boxes/partition.hpp"

namespace impinge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <int kAxes>
struct Extent {
  float lo[kAxes], hi[kAxes];

  Extent() {
    std::fill_n(lo, kAxes, kInfinity);
    std::fill_n(hi, kAxes, -kInfinity);
  }
  void add(int k, float lower, float upper) {
    lo[k] = std::min(lo[k], lower);
    hi[k] = std::max(hi[k], upper);
  }
  int longest_axis() const {
    int axis = 0;
    for (int k = 1; k < kAxes; ++k) {
      if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    return axis;
  }
};

template <class Centres>
Extent<Centres::kAxes> extent_of(const Centres& c, std::size_t begin, std::size_t end) {
  constexpr int kAxes = Centres::kAxes;
  Extent<kAxes> extent;
  Float8 lo[kAxes], hi[kAxes];
  for (int k = 0; k < kAxes; ++k) {
    lo[k] = Float8(kInfinity);
    hi[k] = Float8(-kInfinity);
  }
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (int k = 0; k < kAxes; ++k) {
      const Float8 x = Float8::loadu(c.plane[k] + i);
      lo[k] = min(lo[k], x);
      hi[k] = max(hi[k], x);
    }
  }
  for (int k = 0; k < kAxes; ++k) {
    extent.add(k, lowest(lo[k]), highest(hi[k]));
    for (std::size_t j = i; j < end; ++j) extent.add(k, c.plane[k][j], c.plane[k][j]);
  }
  return extent;
}

std::uint32_t count_below(const float* keys, std::size_t n, float limit) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += keys[i] < limit;
  return count;
}

// Floats as integers in the same order.
std::int64_t steps(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : bits;
}
float from_steps(std::int64_t s) {
  return std::bit_cast<float>(static_cast<std::int32_t>(
      s < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - s : s));
}

constexpr int kGuesses = 16;
constexpr std::size_t kRoom = 1024;

// Where to cut n keys within lo .. hi so that exactly `left` are on the left. Counting what lies
// below a guess moves nothing and needs no branch on the data; soon few keys are left to look at.
template <class Below>
Cut find_cut(const float* keys, std::size_t n, float lo, float hi, std::size_t left,
             Below&& count_first) {
  float kept[kRoom + kFew];
  float a = lo, b = from_steps(steps(hi) + 1);
  std::size_t below_a = 0, below_b = n;
  for (int pass = 0;; ++pass) {
    const std::int64_t step_a = steps(a), step_b = steps(b);
    if (step_b - step_a <= 1) return {a, left - below_a};
    const auto inside = static_cast<float>(below_b - below_a);
    const auto wanted = static_cast<float>(left - below_a);
    // Aim a little past the cut as seen from the nearer end, so that the far end comes closer.
    const float slack = 0.75f * std::sqrt(inside);
    const float share = (2 * wanted < inside ? wanted + slack : wanted - slack) / inside;
    float guess = a + (b - a) * share;
    if (pass >= kGuesses) guess = from_steps((step_a + step_b) / 2);  // halves what is left
    if (!(guess > a)) guess = from_steps(step_a + 1);
    if (!(guess < b)) guess = from_steps(step_b - 1);
    const std::size_t count = keys == kept ? count_below(kept, n, guess) : count_first(guess);
    if (count == left) return {guess, 0};
    if (count < left) {
      a = guess;
      below_a = count;
    } else {
      b = guess;
      below_b = count;
    }
    const std::size_t rest = below_b - below_a;
    if (rest <= kFew || (rest <= kRoom && 4 * rest <= n)) {
      n = collect(keys, n, a, b, kept);
      keys = kept;
      left -= below_a;
      below_a = 0;
      below_b = n;
      if (n <= kFew) return cut_few(kept, n, left);
    }
  }
}

struct Range {
  std::size_t begin, n;
  bool in_spare;  // where its centres are
};

template <class Centres>
void split(const Centres& from, const Centres& to, const Range& r, std::size_t left) {
  const std::size_t end = r.begin + r.n;
  const auto extent = extent_of(from, r.begin, end);
  const int axis = extent.longest_axis();
  const float* keys = from.plane[axis] + r.begin;
  const Cut cut = find_cut(keys, r.n, extent.lo[axis], extent.hi[axis], left,
                           [&](float at) { return count_below(keys, r.n, at); });
  const std::size_t middle = r.begin + left;
  partition(from, to, r.begin, end, axis, cut, {r.begin, middle}, {middle, end});
}

// The same, by many.
constexpr std::size_t kChunk = 4096;

template <int kAxes>
struct Chunk {
  Extent<kAxes> extent;
  std::size_t below = 0, ties = 0;
  Place left, right;
};

template <class Centres>
void split_together(const Centres& from, const Centres& to, const Range& r, std::size_t left,
                    int workers) {
  using Part = Chunk<Centres::kAxes>;
  std::vector<Part> chunks((r.n + kChunk - 1) / kChunk);
  const auto for_chunks = [&](auto&& f) {
    parallel_for(workers, chunks.size(), 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        const std::size_t begin = r.begin + b * kChunk;
        f(chunks[b], begin, std::min(begin + kChunk, r.begin + r.n));
      }
    });
  };
  for_chunks([&](Part& c, std::size_t b, std::size_t e) { c.extent = extent_of(from, b, e); });
  Extent<Centres::kAxes> extent;
  for (const Part& c : chunks) {
    for (int k = 0; k < Centres::kAxes; ++k) extent.add(k, c.extent.lo[k], c.extent.hi[k]);
  }
  const int axis = extent.longest_axis();
  const float* keys = from.plane[axis];
  const auto below = [&](float at) {
    for_chunks(
        [&](Part& c, std::size_t b, std::size_t e) { c.below = count_below(keys + b, e - b, at); });
    std::size_t sum = 0;
    for (const Part& c : chunks) sum += c.below;
    return sum;
  };
  Cut cut = find_cut(keys + r.begin, r.n, extent.lo[axis], extent.hi[axis], left, below);
  below(cut.at);
  if (cut.ties > 0) {
    for_chunks([&](Part& c, std::size_t b, std::size_t e) {
      c.ties = static_cast<std::size_t>(std::count(keys + b, keys + e, cut.at));
    });
  }
  std::size_t at_left = r.begin, at_right = r.begin + left;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    Part& c = chunks[i];
    c.ties = std::min(c.ties, cut.ties);
    cut.ties -= c.ties;
    const std::size_t lefts = c.below + c.ties;
    const std::size_t rights = std::min(kChunk, r.n - i * kChunk) - lefts;
    c.left = {at_left, at_left + lefts};
    c.right = {at_right, at_right + rights};
    at_left += lefts;
    at_right += rights;
  }
  for_chunks([&](Part& c, std::size_t b, std::size_t e) {
    partition(from, to, b, e, axis, {cut.at, c.ties}, c.left, c.right);
  });
}

template <Cuts kCuts>
std::size_t left_half(std::size_t n) {
  if constexpr (kCuts == Cuts::middle) return left_of_middle(n);
  // the largest power of two below n, at least 8
  std::size_t half = kLanes;
  while (2 * half < n) half *= 2;
  return half;
}

std::int32_t id_of(float bits) { return std::bit_cast<std::int32_t>(bits); }

// The last cut of a packed tree moves the ids alone.
template <class Centres>
void pack_few(const Centres& c, std::size_t begin, std::size_t n, std::int32_t* ids) {
  float ordered[3 * kLanes];
  if (n > kLanes) {
    const float* keys = c.plane[extent_of(c, begin, begin + n).longest_axis()] + begin;
    const unsigned left = left_few(keys, n, cut_few(keys, n, kLanes));
    partition_few(c.ids() + begin, n, left, ordered);
  } else {
    std::copy_n(c.ids() + begin, n, ordered);
  }
  for (std::size_t i = 0; i < n; ++i) ids[begin + i] = id_of(ordered[i]);
}

template <class Centres>
void order_two(const Centres& c, std::size_t begin, std::int32_t* ids) {
  float most = 0;
  for (int k = 0; k < Centres::kAxes; ++k) {
    const float step = c.plane[k][begin + 1] - c.plane[k][begin];
    if (std::fabs(step) > std::fabs(most)) most = step;
  }
  ids[most < 0] = id_of(c.ids()[begin]);
  ids[!(most < 0)] = id_of(c.ids()[begin + 1]);
}

// All cuts of a few, which stay in the cache; `ids` is where the first goes.
template <class Centres>
void halve_few(const Centres& c, std::size_t begin, std::size_t n, std::int32_t* ids) {
  if (n == 1) {
    ids[0] = id_of(c.ids()[begin]);
    return;
  }
  if (n == 2) return order_two(c, begin, ids);
  const float* keys = c.plane[extent_of(c, begin, begin + n).longest_axis()] + begin;
  const std::size_t left = left_of_middle(n);
  const unsigned lefts = left_few(keys, n, cut_few(keys, n, left));
  constexpr std::size_t kRoomForFew = 2 * kFew;  // any of them can be read to the sixteenth
  float memory[Centres::kPlanes * kRoomForFew];
  const Centres halves(memory, kRoomForFew);
  for (int p = 0; p < Centres::kPlanes; ++p) {
    partition_few(c.plane[p] + begin, n, lefts, halves.plane[p]);
  }
  halve_few(halves, 0, left, ids);
  halve_few(halves, left, n - left, ids + left);
}

template <Cuts kCuts, class Centres>
void order(const Centres& here, const Centres& there, Range r, std::int32_t* ids) {
  if (r.n <= kFew) {
    if constexpr (kCuts == Cuts::middle) {
      halve_few(here, r.begin, r.n, ids + r.begin);
    } else {
      pack_few(here, r.begin, r.n, ids);
    }
    return;
  }
  const std::size_t left = left_half<kCuts>(r.n);
  split(here, there, r, left);
  order<kCuts>(there, here, {r.begin, left, !r.in_spare}, ids);
  order<kCuts>(there, here, {r.begin + left, r.n - left, !r.in_spare}, ids);
}

std::vector<Range>::iterator largest(std::vector<Range>& ranges) {
  return std::max_element(ranges.begin(), ranges.end(),
                          [](const Range& a, const Range& b) { return a.n < b.n; });
}

// Ranges that wait for a worker. Whoever cuts one keeps a half and leaves the other here.
class Waiting {
 public:
  Waiting(std::vector<Range> ranges, std::size_t most)
      : ranges_(std::move(ranges)), unfinished_(ranges_.size()) {
    ranges_.reserve(most);
  }

  void push(const Range& r) {
    std::lock_guard<std::mutex> lock(mutex_);
    ranges_.push_back(r);
    ++unfinished_;
  }
  void finish() {
    std::lock_guard<std::mutex> lock(mutex_);
    --unfinished_;
  }
  // The largest; false when all are finished. Waits only for workers that may still leave some.
  bool pop(Range& r) {
    while (true) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
        if (unfinished_ == 0) return false;
        if (!ranges_.empty()) {
          const auto next = largest(ranges_);
          r = *next;
          ranges_.erase(next);
          return true;
        }
      }
      std::this_thread::yield();
    }
  }

 private:
  std::mutex mutex_;
  std::vector<Range> ranges_;
  std::size_t unfinished_;  // waiting or at work
};

}  // namespace

template <Cuts kCuts, class Centres>
void order_by_medians(const Centres& centres, const Centres& spare, std::size_t n,
                      std::int32_t* ids, int workers) {
  const auto here = [&](const Range& r) -> const Centres& { return r.in_spare ? spare : centres; };
  const auto there = [&](const Range& r) -> const Centres& { return r.in_spare ? centres : spare; };
  const auto halves = [](const Range& r, std::size_t left) {
    return std::pair<Range, Range>({r.begin, left, !r.in_spare},
                                   {r.begin + left, r.n - left, !r.in_spare});
  };
  const std::size_t small = n / (8 * static_cast<std::size_t>(workers)) + kChunk;
  if (workers <= 1 || n <= small) {
    order<kCuts>(centres, spare, {0, n, false}, ids);
    return;
  }
  // The first cuts by all workers together, until there is a range for each.
  std::vector<Range> open{{0, n, false}};
  while (open.size() < static_cast<std::size_t>(workers)) {
    Range& r = *largest(open);
    if (r.n <= small) break;
    const std::size_t left = left_half<kCuts>(r.n);
    split_together(here(r), there(r), r, left, workers);
    const auto [first, second] = halves(r, left);
    r = first;
    open.push_back(second);
  }
  Waiting waiting(std::move(open), 32 * static_cast<std::size_t>(workers));
  parallel_for(workers, static_cast<std::size_t>(workers), 1, [&](std::size_t, std::size_t, int) {
    for (Range r; waiting.pop(r); waiting.finish()) {
      while (r.n > small) {
        const std::size_t left = left_half<kCuts>(r.n);
        split(here(r), there(r), r, left);
        const auto [first, second] = halves(r, left);
        waiting.push(second);
        r = first;
      }
      order<kCuts>(here(r), there(r), r, ids);
    }
  });
}

template void order_by_medians<Cuts::packed>(const SpaceCentres&, const SpaceCentres&, std::size_t,
                                             std::int32_t*, int);
template void order_by_medians<Cuts::packed>(const SurfaceCentres&, const SurfaceCentres&,
                                             std::size_t, std::int32_t*, int);
template void order_by_medians<Cuts::middle>(const SpaceCentres&, const SpaceCentres&, std::size_t,
                                             std::int32_t*, int);

}  // namespace impinge
