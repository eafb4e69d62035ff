// A colliding pair in one number.
#pragma once

#include <cstdint>
#include <utility>

#include "geometry/kind.hpp"

namespace impinge {

// Sorts by (a, b), the lower id first: ids of 30 bits each, then the kind.
constexpr int kIdBits = 30;
using Key = std::uint64_t;
inline Key make_key(std::uint32_t a, std::uint32_t b, Kind kind) {
  if (a > b) std::swap(a, b);
  return (Key{a} << (kIdBits + 3)) | (Key{b} << 3) | static_cast<Key>(kind);
}
inline std::uint32_t key_a(Key key) { return static_cast<std::uint32_t>(key >> (kIdBits + 3)); }
inline std::uint32_t key_b(Key key) {
  return static_cast<std::uint32_t>(key >> 3) & ((1u << kIdBits) - 1);
}
inline Kind key_kind(Key key) { return static_cast<Kind>(key & 7); }

}  // namespace impinge
