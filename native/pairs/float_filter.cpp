#include "pairs/float_filter.hpp"

#include <bit>

#include "geometry/tolerance.hpp"

namespace impinge {
namespace {

struct Vector8 {
  Float8 x, y, z;
};

Vector8 operator-(const Vector8& a, const Vector8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector8 cross(const Vector8& a, const Vector8& b) {
  return {mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z), mul_sub(a.x, b.y, a.y * b.x)};
}
Float8 dot(const Vector8& a, const Vector8& b) {
  return mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z));
}

Float8 span(Float8 a, Float8 b, Float8 c) { return max(max(a, b), c) - min(min(a, b), c); }

// A sign per lane that is known for certain, or neither bit.
struct Sign8 {
  unsigned positive, negative;
};

Sign8 sign_beyond(Float8 x, Float8 tolerance) {
  return {bits(x > tolerance), bits(Float8(0.0f) - tolerance > x)};
}

// Lanes in which the line of an edge certainly passes inside / misses the other triangle.
unsigned inside(const Sign8& p, const Sign8& q, const Sign8& r) {
  return (p.positive & q.positive & r.positive) | (p.negative & q.negative & r.negative);
}
unsigned misses(const Sign8& p, const Sign8& q, const Sign8& r) {
  return (p.positive | q.positive | r.positive) & (p.negative | q.negative | r.negative);
}
unsigned all_on_one_side(const Sign8 s[3]) { return inside(s[0], s[1], s[2]); }
unsigned unknown(const Sign8 s[3]) {
  return ~((s[0].positive | s[0].negative) & (s[1].positive | s[1].negative) &
           (s[2].positive | s[2].negative));
}
unsigned any_known(const Sign8 s[3]) {
  return s[0].positive | s[0].negative | s[1].positive | s[1].negative | s[2].positive |
         s[2].negative;
}
unsigned changes(const Sign8& p, const Sign8& q) {
  return (p.positive & q.negative) | (p.negative & q.positive);
}

void load(const float from[9][Batch::kRoom], int first, Vector8 corner[3]) {
  for (int i = 0; i < 3; ++i) {
    corner[i] = {Float8::loadu(from[3 * i] + first), Float8::loadu(from[3 * i + 1] + first),
                 Float8::loadu(from[3 * i + 2] + first)};
  }
}

Float8 sum_of_sizes(const Vector8& v) { return abs(v.x) + abs(v.y) + abs(v.z); }

Float8 largest_difference(const Vector8 a[3], const Vector8 b[3], float error) {
  const Float8 x = span(a[0].x, a[1].x, a[2].x) + span(b[0].x, b[1].x, b[2].x);
  const Float8 y = span(a[0].y, a[1].y, a[2].y) + span(b[0].y, b[1].y, b[2].y);
  const Float8 z = span(a[0].z, a[1].z, a[2].z) + span(b[0].z, b[1].z, b[2].z);
  // The boxes overlap up to the margins, so a difference is at most the sum of both spans.
  return max(max(x, y), z) + Float8(8 * error);
}

// Lanes in which all of b lies beyond an edge of a, seen along a's normal: what settles pairs that
// are nearly in one plane. With m any vector and S, d, u as below, a value m.(p - q) is off by at
// most |m| (2d + 4uS), so a gap of twice that between two values is real.
unsigned beyond_an_edge(const Vector8 a[3], const Vector8 edge_a[3], const Vector8& normal_a,
                        const Vector8 b[3], Float8 size, float error) {
  const Float8 slack = mul_add(size, Float8(9 * 0x1p-24f), Float8(4.1f * error));
  unsigned apart = 0;
  for (int i = 0; i < 3; ++i) {
    const Vector8 inward = cross(normal_a, edge_a[i]);
    const Float8 own =
        min(min(Float8(0.0f), dot(inward, edge_a[i])), dot(inward, a[(i + 2) % 3] - a[i]));
    const Float8 other =
        max(max(dot(inward, b[0] - a[i]), dot(inward, b[1] - a[i])), dot(inward, b[2] - a[i]));
    apart |= bits(own - other > sum_of_sizes(inward) * slack);
  }
  return apart;
}

// Which side of each other's planes the corners are on.
struct Sides8 {
  Vector8 a[3], b[3], edge_a[3], edge_b[3], normal_a, normal_b;
  Float8 size, tol;
  Sign8 side_a[3], side_b[3];

  Sides8(const Batch& batch, int first, float error) {
    load(batch.a, first, a);
    load(batch.b, first, b);
    for (int i = 0; i < 3; ++i) {
      edge_a[i] = a[(i + 1) % 3] - a[i];
      edge_b[i] = b[(i + 1) % 3] - b[i];
    }
    size = largest_difference(a, b, error);
    tol = tolerance(size, error);
    normal_a = cross(edge_a[0], edge_a[1]);
    normal_b = cross(edge_b[0], edge_b[1]);
    for (int i = 0; i < 3; ++i) {
      side_a[i] = sign_beyond(dot(normal_b, a[i] - b[0]), tol);
      side_b[i] = sign_beyond(dot(normal_a, b[i] - a[0]), tol);
    }
  }
  unsigned apart() const { return all_on_one_side(side_a) | all_on_one_side(side_b); }
};

}  // namespace

void Batch::move(int first, unsigned lanes, int to) {
  const Packer8 pack(lanes);
  for (int k = 0; k < 9; ++k) {
    pack(Float8::load(a[k] + first)).storeu(a[k] + to);
    pack(Float8::load(b[k] + first)).storeu(b[k] + to);
  }
  pack(Int8::load(slot_a + first)).storeu(slot_a + to);
  pack(Int8::load(slot_b + first)).storeu(slot_b + to);
}

void drop_parted(Batch& batch, float error) {
  int kept = 0;
  for (int first = 0; first < batch.size; first += kLanes) {
    const unsigned open = ~Sides8(batch, first, error).apart() & batch.live(first);
    batch.move(first, open, kept);
    kept += std::popcount(open);
  }
  batch.size = kept;
}

Verdict8 filter_pairs(const Batch& batch, int first, float error) {
  const Sides8 sides(batch, first, error);
  const auto& [a, b, edge_a, edge_b, normal_a, normal_b, size, tol, side_a, side_b] = sides;
  const unsigned apart = sides.apart();
  Sign8 line[3][3];  // how edge i of a passes edge j of b
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      line[i][j] = sign_beyond(dot(cross(edge_a[i], edge_b[j]), b[j] - a[i]), tol);
    }
  }
  unsigned crossing = 0, open = 0, no_line_meets = ~0u;
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    const unsigned through_b = inside(line[i][0], line[i][1], line[i][2]);
    const unsigned through_a = inside(line[0][i], line[1][i], line[2][i]);
    const unsigned past_b = misses(line[i][0], line[i][1], line[i][2]);
    const unsigned past_a = misses(line[0][i], line[1][i], line[2][i]);
    const unsigned edge_crosses_b = changes(side_a[i], side_a[next]);
    const unsigned edge_crosses_a = changes(side_b[i], side_b[next]);
    crossing |= (edge_crosses_b & through_b) | (edge_crosses_a & through_a);
    open |= (edge_crosses_b & ~through_b & ~past_b) | (edge_crosses_a & ~through_a & ~past_a);
    no_line_meets &= past_b & past_a;
  }
  // A triangle without area has no plane to be beside of; pierced, it only touches.
  crossing &= any_known(side_a) & any_known(side_b) & ~apart & 255u;
  // Where no edge's line meets the other triangle they are apart, whatever the plane signs.
  unsigned undecided =
      (unknown(side_a) | unknown(side_b) | open) & ~(crossing | apart | no_line_meets) & 255u;
  if (undecided) undecided &= ~beyond_an_edge(a, edge_a, normal_a, b, size, error);
  if (undecided) undecided &= ~beyond_an_edge(b, edge_b, normal_b, a, size, error);
  return {crossing, undecided};
}

}  // namespace impinge
