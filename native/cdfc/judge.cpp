#include "cdfc/judge.hpp"

#include <algorithm>

namespace impinge::cdfc {
namespace {

struct Corners8 {
  Point8 at[3];

  Corners8(const Point4* points, const Triangles8& of) {
    for (int k = 0; k < 3; ++k) at[k] = gather(points, of.corner[k]);
  }
  Float8 low(int k) const { return min(min(at[0].at[k], at[1].at[k]), at[2].at[k]); }
  Float8 high(int k) const { return max(max(at[0].at[k], at[1].at[k]), at[2].at[k]); }
};

}  // namespace

// The float filter wants boxes that overlap along the axes of the frame, not of a cluster. Float
// coordinates are rounded monotonically, so that boxes of triangles that meet do meet.
void Judge::add(const Triangles8& a, const Triangles8& b, int count) {
  const Corners8 p(query_.soup.points(), a), q(query_.soup.points(), b);
  unsigned live = (1u << count) - 1;
  for (int k = 0; k < 3; ++k) {
    live &= bits((p.low(k) <= q.high(k)) & (q.low(k) <= p.high(k)));
  }
  if (!live) return;
  Batch& batch = *batch_;
  const Packer8 pack(live);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      pack(p.at[i].at[k]).storeu(batch.a[3 * i + k] + batch.size);
      pack(q.at[i].at[k]).storeu(batch.b[3 * i + k] + batch.size);
    }
  }
  for_each_bit(live, [&](int i) {
    batch.slot_a[batch.size] = a.id[i];
    batch.slot_b[batch.size++] = b.id[i];
  });
  if (batch.size >= Batch::kCapacity) drain();
}

void Judge::drain() {
  Batch& batch = *batch_;
  tests += static_cast<std::uint64_t>(batch.size);
  drop_parted(batch, kError);
  for (int first = 0; first < batch.size; first += kLanes) {
    const Verdict8 v = filter_pairs(batch, first, kError);
    const int left = batch.size - first;
    const unsigned live = left >= kLanes ? 255u : (1u << left) - 1;
    // Only strict signs decide in float, and with strict signs a meeting is a crossing.
    for_each_bit(v.crossing & live, [&](int i) {
      report(batch.slot_a[first + i], batch.slot_b[first + i], Kind::crossing);
    });
    for_each_bit(v.undecided & live, [&](int i) {
      ++uncertain;
      decide(batch.slot_a[first + i], batch.slot_b[first + i]);
    });
  }
  batch.size = 0;
}

void Judge::decide(std::uint32_t a, std::uint32_t b) {
  const Triangle s = query_.soup.triangle(a), t = query_.soup.triangle(b);
  const bool own = query_.soup.body(a) == query_.soup.body(b);
  const Kind kind = own ? classify_self(s, t, query_.report_duplicates) : classify(s, t);
  if (kind == Kind::none || (kind != Kind::crossing && !query_.touching)) return;
  report(a, b, kind);
}

void Judge::report(std::uint32_t a, std::uint32_t b, Kind kind) {
  const std::uint32_t p = query_.soup.id(a), q = query_.soup.id(b);
  keys.push_back(make_key(std::min(p, q), std::max(p, q), kind));
}

}  // namespace impinge::cdfc
