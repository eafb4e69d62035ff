#include "solids/measures.hpp"

#include <algorithm>
#include <vector>

#include "base/compensated.hpp"
#include "base/pool.hpp"
#include "geometry/facing.hpp"
#include "solids/overlap_bounds.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kFaceGrain = 1024;

// Of tetrahedra with a corner in the middle.
class Moments {
 public:
  explicit Moments(const double* middle) : middle_(middle) {}

  // Positive when the other corners run against the clock, seen from outside.
  void add(const double* p, const double* q, const double* r, int sign = 1) {
    const Vector u = from_to(middle_, p), v = from_to(middle_, q), w = from_to(middle_, r);
    const double six_fold = sign * dot(u, cross(v, w));
    volume_.add(six_fold);
    moment_[0].add(six_fold * (u.x + v.x + w.x));
    moment_[1].add(six_fold * (u.y + v.y + w.y));
    moment_[2].add(six_fold * (u.z + v.z + w.z));
  }
  void add(const Moments& other) {
    volume_.add(other.volume_);
    for (int k = 0; k < 3; ++k) moment_[k].add(other.moment_[k]);
  }

  double volume() const { return volume_.value() / 6; }
  double centroid(int k) const { return middle_[k] + moment_[k].value() / (4 * volume_.value()); }

 private:
  const double* middle_;
  CompensatedSum volume_, moment_[3];
};

// The rim of the part of a face that is inside: its cuts, and of each edge what is between the
// places where it enters and leaves. Triangles from a point of the face to pieces of the rim add up
// to the part; for pieces of one edge these are differences of triangles from a point of the edge.
void add_cut_face(const CutFaceInside& face, const Triangle& t, Moments& sum) {
  const double* from = face.cuts[0].tail;
  for (const FaceCut& cut : face.cuts) sum.add(from, cut.tail, cut.head);
  for (int k = 0; k < 3; ++k) {
    const double *start = t[k], *end = t[corner_after(k)], *on_edge = nullptr;
    for (const FaceCut& cut : face.cuts) {
      if (!on_edge && cut.tail_edge == k) on_edge = cut.tail;
      if (!on_edge && cut.head_edge == k) on_edge = cut.head;
    }
    if (!on_edge) {
      if (face.inside[k]) sum.add(from, start, end);
      continue;
    }
    for (const FaceCut& cut : face.cuts) {
      if (cut.tail_edge == k) sum.add(from, on_edge, cut.tail, 1);
      if (cut.head_edge == k) sum.add(from, on_edge, cut.head, -1);
    }
    if (face.inside[corner_after(k)]) sum.add(from, on_edge, end, 1);
    if (face.inside[k]) sum.add(from, on_edge, start, -1);
  }
}

// In chunks of which the sums are added in order, so that threads make no difference.
template <class F>
void add_in_chunks(std::size_t n, int workers, Moments& sum, const Moments& zero, const F& add) {
  std::vector<Moments> sums((n + kFaceGrain - 1) / kFaceGrain, zero);
  parallel_for(workers, sums.size(), 1, [&](std::size_t c, std::size_t end, int) {
    for (; c < end; ++c) {
      for (std::size_t i = c * kFaceGrain; i < std::min(n, (c + 1) * kFaceGrain); ++i) {
        add(i, sums[c]);
      }
    }
  });
  for (const Moments& chunk : sums) sum.add(chunk);
}

}  // namespace

Measures measures_of(const Overlay& overlay, int workers) {
  Measures found;
  found.bounds = loose_bounds(overlay);
  if (!(found.bounds.lo[0] <= found.bounds.hi[0])) return found;
  double middle[3];
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (found.bounds.lo[k] + found.bounds.hi[k]);
  const Moments zero(middle);
  Moments sum = zero;
  for (int i = 0; i < 2; ++i) {
    const PartInside& part = overlay.part(i);
    const PlacedSurface& surface = overlay.surface(i);
    add_in_chunks(part.whole_faces().size(), workers, sum, zero, [&](std::size_t j, Moments& own) {
      const Triangle t = surface.triangle(part.whole_faces()[j]);
      own.add(t[0], t[1], t[2]);
    });
    add_in_chunks(part.cut_faces().size(), workers, sum, zero, [&](std::size_t j, Moments& own) {
      const CutFaceInside& face = part.cut_faces()[j];
      add_cut_face(face, surface.triangle(face.face), own);
    });
  }
  found.volume = sum.volume();
  for (int k = 0; k < 3; ++k) found.centroid[k] = sum.centroid(k);
  return found;
}

}  // namespace impinge::solids
