#include "bvh/halves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "parallel/pool.hpp"
#include "simd/lanes.hpp"

namespace impinge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Extent {
  float lo[3] = {kInfinity, kInfinity, kInfinity};
  float hi[3] = {-kInfinity, -kInfinity, -kInfinity};

  void add(int k, float lower, float upper) {
    lo[k] = std::min(lo[k], lower);
    hi[k] = std::max(hi[k], upper);
  }
  int longest_axis() const {
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    return axis;
  }
};

Extent extent_of(const Centres& c, std::size_t begin, std::size_t end) {
  Extent extent;
  Float8 lo[3], hi[3];
  for (int k = 0; k < 3; ++k) {
    lo[k] = Float8(kInfinity);
    hi[k] = Float8(-kInfinity);
  }
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (int k = 0; k < 3; ++k) {
      const Float8 x = Float8::loadu(c.plane[k] + i);
      lo[k] = min(lo[k], x);
      hi[k] = max(hi[k], x);
    }
  }
  for (int k = 0; k < 3; ++k) {
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

// Left are all keys below `at`, and the first `ties` of those equal to it.
struct Cut {
  float at;
  std::size_t ties;
};

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

// Where to cut n keys within lo .. hi so that exactly `left` are on the left. Counting what lies
// below a guess moves nothing and needs no branch on the data, so a few more passes are cheap.
template <class Below>
Cut find_cut(float lo, float hi, std::size_t n, std::size_t left, Below&& below) {
  float a = lo, b = std::nextafter(hi, kInfinity);
  std::size_t below_a = 0, below_b = n;
  for (int pass = 0;; ++pass) {
    const std::int64_t step_a = steps(a), step_b = steps(b);
    if (step_b - step_a <= 1) return {a, left - below_a};
    const auto inside = static_cast<float>(below_b - below_a);
    float wanted = static_cast<float>(left - below_a);
    // Aim a little past the cut as seen from the nearer end, so that the far end comes closer.
    const float share = wanted / inside;
    const float slack = inside > 16 ? 1.5f * std::sqrt(inside * share * (1 - share)) : 0.0f;
    wanted += share < 0.5f ? slack : -slack;
    float guess = a + (b - a) * (wanted / inside);
    if (pass >= kGuesses) guess = from_steps((step_a + step_b) / 2);  // halves what is left
    if (!(guess > a)) guess = from_steps(step_a + 1);
    if (!(guess < b)) guess = from_steps(step_b - 1);
    const std::size_t count = below(guess);
    if (count == left) return {guess, 0};
    if (count < left) {
      a = guess;
      below_a = count;
    } else {
      b = guess;
      below_b = count;
    }
  }
}

// One side of a partition: takes up to eight centres at a time and writes nothing behind its end.
class Side {
 public:
  Side(const Centres& to, std::size_t begin, std::size_t end) : to_(to), at_(begin), end_(end) {}

  // `taken` lanes are meant; the rest is overwritten later.
  void put(const Float8 (&lanes)[Centres::kPlanes], int taken) {
    if (at_ + kLanes <= end_) {
      for (int p = 0; p < Centres::kPlanes; ++p) lanes[p].storeu(to_.plane[p] + at_);
      at_ += taken;
    } else {
      for (int p = 0; p < Centres::kPlanes; ++p) lanes[p].storeu(last_[p] + held_);
      held_ += taken;
    }
  }
  void finish() {
    for (int p = 0; p < Centres::kPlanes; ++p) std::copy_n(last_[p], held_, to_.plane[p] + at_);
  }

 private:
  const Centres& to_;
  std::size_t at_, end_;
  int held_ = 0;
  float last_[Centres::kPlanes][2 * kLanes];
};

// Moves the centres begin .. end to one side or the other, keeping their order.
void partition(const Centres& from, std::size_t begin, std::size_t end, int axis, Cut cut,
               Side& left, Side& right) {
  const Float8 limit(cut.at);
  float tail[Centres::kPlanes][kLanes] = {};
  for (std::size_t i = begin; i < end; i += kLanes) {
    Float8 lanes[Centres::kPlanes];
    unsigned live = 255;
    if (i + kLanes <= end) {
      for (int p = 0; p < Centres::kPlanes; ++p) lanes[p] = Float8::loadu(from.plane[p] + i);
    } else {
      for (int p = 0; p < Centres::kPlanes; ++p) {
        std::copy(from.plane[p] + i, from.plane[p] + end, tail[p]);
        lanes[p] = Float8::loadu(tail[p]);
      }
      live = (1u << (end - i)) - 1;
    }
    unsigned goes_left = bits(limit > lanes[axis]) & live;
    if (cut.ties > 0) {
      unsigned equal = bits(lanes[axis] <= limit) & live & ~goes_left;
      for (; equal && cut.ties > 0; equal &= equal - 1, --cut.ties) goes_left |= equal & -equal;
    }
    const unsigned goes_right = live & ~goes_left;
    const Packer8 pack_left(goes_left), pack_right(goes_right);
    Float8 packed[Centres::kPlanes];
    for (int p = 0; p < Centres::kPlanes; ++p) packed[p] = pack_left(lanes[p]);
    left.put(packed, std::popcount(goes_left));
    for (int p = 0; p < Centres::kPlanes; ++p) packed[p] = pack_right(lanes[p]);
    right.put(packed, std::popcount(goes_right));
  }
  left.finish();
  right.finish();
}

struct Range {
  std::size_t begin, n;
  bool in_spare;  // where its centres are
};

void split(const Centres& from, const Centres& to, const Range& r, std::size_t left) {
  const std::size_t end = r.begin + r.n;
  const Extent extent = extent_of(from, r.begin, end);
  const int axis = extent.longest_axis();
  const float* keys = from.plane[axis] + r.begin;
  const Cut cut = find_cut(extent.lo[axis], extent.hi[axis], r.n, left,
                           [&](float at) { return count_below(keys, r.n, at); });
  Side side_left(to, r.begin, r.begin + left), side_right(to, r.begin + left, end);
  partition(from, r.begin, end, axis, cut, side_left, side_right);
}

// The same, by many.
constexpr std::size_t kChunk = 4096;

struct Chunk {
  Extent extent;
  std::size_t below, ties;
};

void split_together(const Centres& from, const Centres& to, const Range& r, std::size_t left,
                    int workers) {
  std::vector<Chunk> chunks((r.n + kChunk - 1) / kChunk);
  const auto for_chunks = [&](auto&& f) {
    parallel_for(workers, chunks.size(), 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        const std::size_t begin = r.begin + b * kChunk;
        f(chunks[b], begin, std::min(begin + kChunk, r.begin + r.n));
      }
    });
  };
  for_chunks([&](Chunk& c, std::size_t b, std::size_t e) { c.extent = extent_of(from, b, e); });
  Extent extent;
  for (const Chunk& c : chunks) {
    for (int k = 0; k < 3; ++k) extent.add(k, c.extent.lo[k], c.extent.hi[k]);
  }
  const int axis = extent.longest_axis();
  const float* keys = from.plane[axis];
  const auto below = [&](float at) {
    for_chunks([&](Chunk& c, std::size_t b, std::size_t e) {
      c.below = count_below(keys + b, e - b, at);
    });
    std::size_t sum = 0;
    for (const Chunk& c : chunks) sum += c.below;
    return sum;
  };
  Cut cut = find_cut(extent.lo[axis], extent.hi[axis], r.n, left, below);
  below(cut.at);
  std::size_t to_left = r.begin, to_right = r.begin + left;
  for_chunks([&](Chunk& c, std::size_t b, std::size_t e) {
    c.ties = cut.ties > 0 ? static_cast<std::size_t>(std::count(keys + b, keys + e, cut.at)) : 0;
  });
  std::vector<Side> sides;
  sides.reserve(2 * chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    Chunk& c = chunks[i];
    c.ties = std::min(c.ties, cut.ties);
    cut.ties -= c.ties;
    const std::size_t lefts = c.below + c.ties;
    const std::size_t rights = std::min(kChunk, r.n - i * kChunk) - lefts;
    sides.emplace_back(to, to_left, to_left + lefts);
    sides.emplace_back(to, to_right, to_right + rights);
    to_left += lefts;
    to_right += rights;
  }
  for_chunks([&](Chunk& c, std::size_t b, std::size_t e) {
    Side* side = sides.data() + 2 * (&c - chunks.data());
    partition(from, b, e, axis, {cut.at, c.ties}, side[0], side[1]);
  });
}

// The largest power of two below n, at least 8: the capacity of the left half.
std::size_t left_half(std::size_t n) {
  std::size_t half = kLanes;
  while (2 * half < n) half *= 2;
  return half;
}

void order(const Centres& here, const Centres& there, Range r, std::int32_t* ids) {
  if (r.n <= kLanes) {
    for (std::size_t i = r.begin; i < r.begin + r.n; ++i) ids[i] = here.id(i);
    return;
  }
  const std::size_t left = left_half(r.n);
  split(here, there, r, left);
  order(there, here, {r.begin, left, !r.in_spare}, ids);
  order(there, here, {r.begin + left, r.n - left, !r.in_spare}, ids);
}

}  // namespace

void order_by_halves(const Centres& centres, const Centres& spare, std::size_t n,
                     std::int32_t* ids, int workers) {
  // The first cuts by all workers together, then the parts side by side.
  const std::size_t small = workers > 1 ? n / (4 * workers) + kChunk : n;
  std::vector<Range> open{{0, n, false}}, parts;
  while (!open.empty()) {
    const Range r = open.back();
    open.pop_back();
    if (r.n <= small) {
      parts.push_back(r);
      continue;
    }
    const std::size_t left = left_half(r.n);
    split_together(r.in_spare ? spare : centres, r.in_spare ? centres : spare, r, left, workers);
    open.push_back({r.begin, left, !r.in_spare});
    open.push_back({r.begin + left, r.n - left, !r.in_spare});
  }
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const bool in_spare = parts[b].in_spare;
      order(in_spare ? spare : centres, in_spare ? centres : spare, parts[b], ids);
    }
  });
}

}  // namespace impinge
