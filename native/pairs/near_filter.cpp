#include "pairs/near_filter.hpp"

#include "geometry/between.hpp"

namespace impinge {
namespace {

// Better lines that are tried.
constexpr int kTurns = 3;
// Bounds of geometry/between.hpp: 2 sqrt(3) errors, and 6 sqrt(3) units of the coordinates with two
// more for their sum; the quotient and the sum of the cut round by less than 40 units of
// themselves.
constexpr float kErrors = 4, kRounding16 = 16 * 0x1p-24f, kRelative = 1 + 64 * 0x1p-24f;

}  // namespace

unsigned certainly_beyond(const Batch& batch, int first, float error, float reach) {
  Float8 largest(0.0f);
  const auto corner = [&](const float (&from)[9][Batch::kRoom]) {
    return [&](int i) {
      const Float8 x = Float8::loadu(from[i] + first);
      largest = max(largest, abs(x));
      return x;
    };
  };
  Between between(corner(batch.a), corner(batch.b));
  const Float8 cut =
      mul_add(largest, Float8(kRounding16), Float8(reach + kErrors * error)) * Float8(kRelative);
  unsigned beyond = bits(between.gaps() > cut);
  for (int turn = 0; turn < kTurns && (~beyond & batch.live(first)); ++turn) {
    between.turn();
    beyond |= bits(between.gaps() > cut);
  }
  return beyond;
}

}  // namespace impinge
