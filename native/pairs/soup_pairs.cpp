#include "pairs/soup_pairs.hpp"

namespace impinge {
namespace {

struct CornerPoints8 {
  Point8 at[3];

  CornerPoints8(const Point4* points, const Triangles8& of) {
    for (int k = 0; k < 3; ++k) at[k] = gather(points, of.corner[k]);
  }
  Float8 low(int k) const { return min(min(at[0].at[k], at[1].at[k]), at[2].at[k]); }
  Float8 high(int k) const { return max(max(at[0].at[k], at[1].at[k]), at[2].at[k]); }
};

}  // namespace

// The float filter wants boxes that overlap along the axes of the frame, not of a cluster. Float
// coordinates are rounded monotonically, so that boxes of triangles that meet do meet.
void SoupPairs::add(const Triangles8& a, const Triangles8& b, int count) {
  const CornerPoints8 p(query_.soup.points(), a), q(query_.soup.points(), b);
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
  if (batch.is_full()) judge_.drain();
}

}  // namespace impinge
