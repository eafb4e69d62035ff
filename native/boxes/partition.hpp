// What a cut of centres does to them: eight at a time where lanes can be permuted, else one by one.
// Both keep the order on each side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/lanes.hpp"
#include "boxes/median_order.hpp"

namespace impinge {

// Left are all keys below `at`, and the first `ties` of those equal to it.
struct Cut {
  float at;
  std::size_t ties;
};

// Where one side of a partition goes.
struct Place {
  std::size_t begin, end;
};

// So few that each can be compared with all; arrays of them can be read to the sixteenth.
constexpr std::size_t kFew = 2 * kLanes;

#if defined(__AVX2__)

struct FewKeys {
  Float8 x, y;
  unsigned live;

  FewKeys(const float* keys, std::size_t n)
      : x(Float8::loadu(keys)), y(Float8::loadu(keys + kLanes)), live((1u << n) - 1) {}

  unsigned below(float at) const {
    const Float8 limit(at);
    return (bits(limit > x) | bits(limit > y) << kLanes) & live;
  }
  unsigned up_to(float at) const {
    const Float8 limit(at);
    return (bits(x <= limit) | bits(y <= limit) << kLanes) & live;
  }
};

// The cut that leaves `left` of the n keys on the left.
inline Cut cut_few(const float* keys, std::size_t n, std::size_t left) {
  const FewKeys few(keys, n);
  for (;; ++keys) {
    const auto first = static_cast<std::size_t>(std::popcount(few.below(*keys)));
    if (first <= left && left < static_cast<std::size_t>(std::popcount(few.up_to(*keys)))) {
      return {*keys, left - first};
    }
  }
}

// The lowest n bits that are set.
inline unsigned lowest_bits(unsigned mask, std::size_t n) {
  unsigned rest = mask;
  for (; rest && n > 0; --n) rest &= rest - 1;
  return mask & ~rest;
}

// A bit for each of the n keys that is left of the cut.
inline unsigned left_few(const float* keys, std::size_t n, const Cut& cut) {
  const FewKeys few(keys, n);
  const unsigned below = few.below(cut.at);
  return below | lowest_bits(few.up_to(cut.at) & ~below, cut.ties);
}

// Moves those with a bit to the left and the rest behind them; `to` has room for eight more.
inline void partition_few(const float* values, std::size_t n, unsigned left, float* to) {
  const Float8 x[2] = {Float8::loadu(values), Float8::loadu(values + kLanes)};
  for (const unsigned side : {left, ((1u << n) - 1) & ~left}) {
    for (int h = 0; h < 2; ++h) {
      const unsigned lanes = side >> (kLanes * h) & 255u;
      const Packer8 pack(lanes);
      pack(x[h]).storeu(to);
      to += std::popcount(lanes);
    }
  }
}

// The keys in a .. b, without b; `to` has room for eight more than there are.
inline std::size_t collect(const float* keys, std::size_t n, float a, float b, float* to) {
  const Float8 from(a), end(b);
  std::size_t found = 0, i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Float8 x = Float8::loadu(keys + i);
    const unsigned inside = bits((from <= x) & (end > x));
    const Packer8 pack(inside);
    pack(x).storeu(to + found);
    found += std::popcount(inside);
  }
  for (; i < n; ++i) {
    to[found] = keys[i];
    found += keys[i] >= a && keys[i] < b;
  }
  return found;
}

// Takes up to eight centres at a time and writes nothing behind its end.
template <class Centres>
class Side {
 public:
  using Last = float[Centres::kPlanes][3 * kLanes];

  // `last` keeps what would be written in part behind the end.
  Side(const Centres& to, const Place& place, Last& last)
      : to_(to), last_(last), begin_(place.begin), at_(place.begin), end_(place.end) {}

  // Of the lanes that are packed, `taken` are meant; the rest is overwritten later.
  void put(const Packer8& pack, const Float8 (&lanes)[Centres::kPlanes], int taken) {
    if (at_ + kLanes <= end_) {
      for (int p = 0; p < Centres::kPlanes; ++p) pack(lanes[p]).storeu(to_.plane[p] + at_);
      at_ += taken;
    } else {
      for (int p = 0; p < Centres::kPlanes; ++p) pack(lanes[p]).storeu(last_[p] + kLanes + held_);
      held_ += taken;
    }
  }
  void finish() {
    for (int p = 0; p < Centres::kPlanes; ++p) {
      float* to = to_.plane[p] + at_;
      if (at_ >= begin_ + kLanes) {  // eight at once, some of them for the second time
        Float8::loadu(to - kLanes).storeu(last_[p]);
        Float8::loadu(last_[p] + held_).storeu(to - kLanes + held_);
      } else {
        std::copy_n(last_[p] + kLanes, held_, to);
      }
    }
  }

 private:
  const Centres to_;
  Last& last_;
  std::size_t begin_, at_, end_;
  std::size_t held_ = 0;
};

// Moves the centres begin .. end to one side or the other, keeping their order.
template <class Centres>
void partition(const Centres& source, const Centres& to, std::size_t begin, std::size_t end,
               int axis, Cut cut, const Place& to_left, const Place& to_right) {
  typename Side<Centres>::Last last_left, last_right;
  Side<Centres> left(to, to_left, last_left), right(to, to_right, last_right);
  const Centres from = source;
  const float* keys = from.plane[axis];
  const Float8 limit(cut.at);
  const auto move = [&](const Float8& key, const Float8(&lanes)[Centres::kPlanes], unsigned live) {
    unsigned goes_left = bits(limit > key) & live;
    if (cut.ties > 0) {
      const unsigned ties = lowest_bits(bits(key <= limit) & live & ~goes_left, cut.ties);
      cut.ties -= std::popcount(ties);
      goes_left |= ties;
    }
    const unsigned goes_right = live & ~goes_left;
    left.put(Packer8(goes_left), lanes, std::popcount(goes_left));
    right.put(Packer8(goes_right), lanes, std::popcount(goes_right));
  };
  Float8 lanes[Centres::kPlanes];
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (int p = 0; p < Centres::kPlanes; ++p) lanes[p] = Float8::loadu(from.plane[p] + i);
    move(Float8::loadu(keys + i), lanes, 255);
  }
  if (i < end) {
    float tail[Centres::kPlanes][kLanes] = {};
    for (int p = 0; p < Centres::kPlanes; ++p) {
      std::copy(from.plane[p] + i, from.plane[p] + end, tail[p]);
      lanes[p] = Float8::loadu(tail[p]);
    }
    move(Float8::loadu(tail[axis]), lanes, (1u << (end - i)) - 1);
  }
  left.finish();
  right.finish();
}

#else

// Says for one key after the other on which side of a cut it is.
class Chooser {
 public:
  explicit Chooser(const Cut& cut) : cut_(cut) {}

  bool right(float key) {
    const bool equal = key == cut_.at;
    const bool right = (key > cut_.at) | (equal & (met_ >= cut_.ties));
    met_ += equal;
    return right;
  }

 private:
  const Cut cut_;
  std::size_t met_ = 0;
};

inline Cut cut_few(const float* keys, std::size_t n, std::size_t left) {
  float all[kFew];
  std::copy_n(keys, n, all);
  std::fill(all + n, all + kFew, std::numeric_limits<float>::infinity());
  for (;; ++keys) {
    std::uint32_t below = 0, up_to = 0;
    for (const float x : all) {
      below += x < *keys;
      up_to += x <= *keys;
    }
    if (below <= left && left < up_to) return {*keys, left - below};
  }
}

inline unsigned left_few(const float* keys, std::size_t n, const Cut& cut) {
  Chooser choose(cut);
  unsigned left = 0;
  for (std::size_t i = 0; i < n; ++i) left |= static_cast<unsigned>(!choose.right(keys[i])) << i;
  return left;
}

inline void partition_few(const float* values, std::size_t n, unsigned left, float* to) {
  std::size_t at[2] = {0, static_cast<std::size_t>(std::popcount(left))};
  for (std::size_t i = 0; i < n; ++i) to[at[~left >> i & 1]++] = values[i];
}

inline std::size_t collect(const float* keys, std::size_t n, float a, float b, float* to) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    to[found] = keys[i];
    found += (keys[i] >= a) & (keys[i] < b);
  }
  return found;
}

template <class Centres>
void partition(const Centres& from, const Centres& to, std::size_t begin, std::size_t end, int axis,
               const Cut& cut, const Place& to_left, const Place& to_right) {
  std::size_t left = to_left.begin, right = to_right.begin;
  const auto move = [&](std::size_t i, bool goes_right) {
    const std::size_t at = goes_right ? right : left;
    for (int p = 0; p < Centres::kPlanes; ++p) to.plane[p][at] = from.plane[p][i];
    left += !goes_right;
    right += goes_right;
  };
  const float* keys = from.plane[axis];
  if (cut.ties == 0) {
    for (std::size_t i = begin; i < end; ++i) move(i, keys[i] >= cut.at);
  } else {
    Chooser choose(cut);
    for (std::size_t i = begin; i < end; ++i) move(i, choose.right(keys[i]));
  }
}

#endif

}  // namespace impinge
