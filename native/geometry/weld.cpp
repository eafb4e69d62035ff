#include "weld.hpp"

#include <bit>
#include <vector>

#include "vec.hpp"

namespace impinge {
namespace {

// Finaliser of splitmix64: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t hash(const double* v) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (int k = 0; k < 3; ++k) h = mix(h ^ std::bit_cast<std::uint64_t>(v[k] + 0.0)) + h;
  return h;
}

}  // namespace

void weld(const double* vertices, std::size_t n, std::int32_t* first) {
  struct Slot {
    std::int32_t vertex;
    std::uint32_t tag;  // spares most reads of other vertices
  };
  const std::size_t size = std::bit_ceil(2 * n + 1);
  std::vector<Slot> slots(size, Slot{-1, 0});
  for (std::size_t i = 0; i < n; ++i) {
    const double* v = vertices + 3 * i;
    const std::uint64_t h = hash(v);
    const auto tag = static_cast<std::uint32_t>(h >> 32);
    std::size_t at = h & (size - 1);
    while (slots[at].vertex >= 0 &&
           !(slots[at].tag == tag && same_point(vertices + 3 * slots[at].vertex, v))) {
      at = (at + 1) & (size - 1);
    }
    if (slots[at].vertex < 0) slots[at] = {static_cast<std::int32_t>(i), tag};
    first[i] = slots[at].vertex;
  }
}

void transform(const double* pose, const double* vertices, std::size_t n, double* moved) {
  for (std::size_t i = 0; i < n; ++i) transform_point(pose, vertices + 3 * i, moved + 3 * i);
}

}  // namespace impinge
