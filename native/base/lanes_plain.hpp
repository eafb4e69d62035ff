// Eight float lanes in plain loops, for any processor.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/lane_table.hpp"

namespace impinge {

struct alignas(32) Float8 {
  float v[kLanes];
  Float8() = default;
  explicit Float8(float x) {
    for (float& lane : v) lane = x;
  }
  static Float8 load(const float* p) {
    Float8 r;
    for (int i = 0; i < kLanes; ++i) r.v[i] = p[i];
    return r;
  }
  static Float8 loadu(const float* p) { return load(p); }
  void store(float* p) const {
    for (int i = 0; i < kLanes; ++i) p[i] = v[i];
  }
  void storeu(float* p) const { store(p); }
};

struct alignas(32) Mask8 {
  std::int32_t v[kLanes];
};

template <class F>
inline Float8 lanewise(F f) {
  Float8 r;
  for (int i = 0; i < kLanes; ++i) r.v[i] = f(i);
  return r;
}
template <class F>
inline Mask8 lanewise_mask(F f) {
  Mask8 r;
  for (int i = 0; i < kLanes; ++i) r.v[i] = -static_cast<std::int32_t>(f(i));
  return r;
}

inline Float8 operator+(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float8 operator-(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float8 operator*(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] * b.v[i]; });
}
inline Float8 operator/(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] / b.v[i]; });
}
inline Float8 sqrt(const Float8& a) {
  return lanewise([&](int i) { return std::sqrt(a.v[i]); });
}
inline Float8 min(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float8 max(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float8 abs(const Float8& a) {
  return lanewise([&](int i) { return std::fabs(a.v[i]); });
}
inline Float8 negative(const Float8& a) {
  return lanewise([&](int i) { return -a.v[i]; });
}
inline Float8 mul_add(const Float8& a, const Float8& b, const Float8& c) {
  return lanewise([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}
inline Float8 mul_sub(const Float8& a, const Float8& b, const Float8& c) {
  return lanewise([&](int i) { return a.v[i] * b.v[i] - c.v[i]; });
}
inline Mask8 operator<=(const Float8& a, const Float8& b) {
  return lanewise_mask([&](int i) { return a.v[i] <= b.v[i]; });
}
inline Mask8 operator>(const Float8& a, const Float8& b) {
  return lanewise_mask([&](int i) { return a.v[i] > b.v[i]; });
}
inline Mask8 operator&(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] & b.v[i]) != 0; });
}
inline Mask8 operator|(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] | b.v[i]) != 0; });
}
inline Mask8 without(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] & ~b.v[i]) != 0; });
}
inline unsigned bits(const Mask8& m) {
  unsigned r = 0;
  for (int i = 0; i < kLanes; ++i) r |= static_cast<unsigned>(m.v[i] & 1) << i;
  return r;
}

struct alignas(32) Int8 {
  std::int32_t v[kLanes];
  Int8() = default;
  explicit Int8(std::int32_t x) {
    for (std::int32_t& lane : v) lane = x;
  }
  template <class Integer>
  static Int8 load(const Integer* p) {
    return lanewise_int([&](int i) { return p[i]; });
  }
  static Int8 loadu(const std::int32_t* p) { return load(p); }
  void storeu(std::uint32_t* p) const {
    for (int i = 0; i < kLanes; ++i) p[i] = static_cast<std::uint32_t>(v[i]);
  }
  template <class F>
  static Int8 lanewise_int(F f) {
    Int8 r;
    for (int i = 0; i < kLanes; ++i) r.v[i] = static_cast<std::int32_t>(f(i));
    return r;
  }
};
inline Int8 operator+(const Int8& a, const Int8& b) {
  return Int8::lanewise_int([&](int i) { return a.v[i] + b.v[i]; });
}
inline Mask8 operator==(const Int8& a, const Int8& b) {
  return lanewise_mask([&](int i) { return a.v[i] == b.v[i]; });
}
inline Mask8 operator>(const Int8& a, const Int8& b) {
  return lanewise_mask([&](int i) { return a.v[i] > b.v[i]; });
}

inline Float8 spread(const Float8& a, int lane) { return Float8(a.v[lane]); }
inline float lowest(const Float8& a) {
  float r = a.v[0];
  for (int i = 1; i < kLanes; ++i) r = a.v[i] < r ? a.v[i] : r;
  return r;
}
inline float highest(const Float8& a) {
  float r = a.v[0];
  for (int i = 1; i < kLanes; ++i) r = a.v[i] > r ? a.v[i] : r;
  return r;
}
inline float total(const Float8& a) {
  const auto two = [&](int i) { return a.v[i] + a.v[i + 4]; };
  return (two(0) + two(2)) + (two(1) + two(3));
}

inline Float8 lowest_of_each(const Float8 (&a)[kLanes]) {
  return lanewise([&](int i) { return lowest(a[i]); });
}

inline Float8 select(const Mask8& m, const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return m.v[i] ? a.v[i] : b.v[i]; });
}

inline void store_bits(const Float8& a, std::uint32_t* p) {
  for (int i = 0; i < kLanes; ++i) p[i] = std::bit_cast<std::uint32_t>(a.v[i]);
}

inline void store_pairs(std::uint32_t a, const Int8& b, std::uint32_t* p) {
  for (int i = 0; i < kLanes; ++i) {
    p[2 * i] = a;
    p[2 * i + 1] = static_cast<std::uint32_t>(b.v[i]);
  }
}

struct Packer8 {
  const std::uint8_t* index;
  explicit Packer8(unsigned mask) : index(kPacked[mask].data()) {}
  Float8 operator()(const Float8& x) const {
    return lanewise([&](int i) { return x.v[index[i]]; });
  }
  Int8 operator()(const Int8& x) const {
    return Int8::lanewise_int([&](int i) { return x.v[index[i]]; });
  }
  Int8 lanes() const {
    return Int8::lanewise_int([&](int i) { return index[i]; });
  }
};

struct Picker8 {
  std::uint8_t index[kLanes];
  Picker8(const std::uint8_t* bytes, int shift) {
    for (int i = 0; i < kLanes; ++i) index[i] = (bytes[i] >> shift) & 7;
  }
  Float8 operator()(const float* from) const {
    return lanewise([&](int i) { return from[index[i]]; });
  }
  Int8 lanes() const {
    return Int8::lanewise_int([&](int i) { return index[i]; });
  }
};

}  // namespace impinge
