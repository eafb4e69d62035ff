#include "contact_points/shooter.hpp"

#include <algorithm>

namespace impinge::contact_points {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool contains(const Bounds& bounds, const double* p) {
  return bounds.lo[0] <= p[0] && p[0] <= bounds.hi[0] && bounds.lo[1] <= p[1] &&
         p[1] <= bounds.hi[1] && bounds.lo[2] <= p[2] && p[2] <= bounds.hi[2];
}

// How far the ray is inside, and a little farther: a hit on the side of the box must not be lost.
double way_out(const Beam& beam, const Bounds& bounds, double slack) {
  const double along[3] = {beam.direction.x, beam.direction.y, beam.direction.z};
  double way = kInfinity;
  for (int k = 0; k < 3; ++k) {
    const double to = (along[k] < 0 ? bounds.lo[k] : bounds.hi[k]) - beam.origin[k];
    if (along[k] != 0) way = std::min(way, to / along[k]);
  }
  return way * (1 + kNothing) + slack;
}

bool neighbours(const Skin& skin, std::int32_t face, std::int32_t other) {
  const std::int32_t* c = skin.corners(face);
  return std::any_of(c, c + 3, [&](std::int32_t v) { return skin.is_corner(v, other); });
}

// Hits at one place of the surface: of the faces at an edge or a vertex, all at once.
struct Place {
  FaceHit first;
  int leaving = 0, entering = 0;
};

}  // namespace

// Against the normal of a vertex.
bool Shooter::aim(const Skin& skin, std::int32_t vertex, Beam& beam) {
  Vector outward;
  if (!skin.normal(vertex, outward)) {
    ++counters.unreliable;
    return false;
  }
  std::copy_n(skin.vertex(vertex), 3, beam.origin);
  beam.direction = scaled(outward, -1);
  ++counters.shot;
  return true;
}

void Shooter::between(const Skin& a, const Skin& b, std::int32_t i, std::int32_t j,
                      std::span<const std::int32_t> vertices, std::vector<PointContact>& out) {
  const Bounds both = common(a.bounds(), b.bounds());
  for (const std::int32_t vertex : vertices) {
    const double* at = a.vertex(vertex);
    Beam beam;
    if (!contains(both, at) || !aim(a, vertex, beam)) continue;
    // a contact is on b and not outside a
    NearestHit nearest(b, beam, nothing_, way_out(beam, both, nothing_), -1, met_);
    seek(b, beam, nearest);
    const FaceHit& hit = nearest.best;
    if (hit.face < 0) continue;
    const Vector normal = b.face_normal(hit.face);
    const double weight = dot(beam.direction, normal);
    if (!(weight > 0)) {
      ++counters.entering;
      continue;
    }
    AnyHit own(a, beam, nothing_, hit.at.t, vertex, met_);
    seek(a, beam, own);
    if (own.found) {
      ++counters.outside;
      continue;
    }
    out.push_back(vertex_face_contact(i, vertex, at, j, hit.face, b.face(hit.face),
                                      b.triangle(hit.face), hit.at.u, hit.at.v));
    out.back().normal = normal;
    out.back().weight = std::min(weight, 1.0);
  }
}

void Shooter::within(const Skin& skin, std::int32_t body, std::span<const std::int32_t> vertices,
                     const std::int32_t* rest, std::vector<PointContact>& out) {
  for (const std::int32_t vertex : vertices) {
    Beam beam;
    if (!aim(skin, vertex, beam)) continue;
    FaceHit first;
    bool unclear = false;
    bool twice = leaves_twice(skin, beam, vertex, false, first, unclear);
    if (unclear) twice = leaves_twice(skin, beam, vertex, true, first, unclear);
    if (!twice) continue;
    const Vector normal = skin.face_normal(first.face);
    const double weight = dot(beam.direction, normal);
    if (!(weight > 0)) continue;
    out.push_back(vertex_face_contact(body, vertex, beam.origin, body, first.face,
                                      skin.face(first.face), skin.triangle(first.face), first.at.u,
                                      first.at.v));
    out.back().normal = normal;
    out.back().weight = std::min(weight, 1.0);
    // deeper than the body is thick: the partner is the far side that the ray always reached
    out.back().suspicious = rest[vertex] >= 0 && neighbours(skin, rest[vertex], first.face);
  }
}

bool Shooter::leaves_twice(const Skin& skin, const Beam& beam, std::int32_t from, bool all,
                           FaceHit& first, bool& unclear) {
  FirstHits found(skin, beam, nothing_, from, nothing_, all, met_);
  seek(skin, beam, found);
  const bool more = found.finish();
  std::vector<Place> places;
  std::vector<std::size_t> place_of;
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    const FaceHit& hit = found.hits[i];
    std::size_t place = places.size();
    for (std::size_t j = i; j-- > 0 && hit.at.t - found.hits[j].at.t <= nothing_;) {
      if (neighbours(skin, hit.face, found.hits[j].face)) place = place_of[j];
    }
    if (place == places.size()) places.push_back({hit});
    place_of.push_back(place);
    const bool leaves = dot(beam.direction, skin.face_normal(hit.face)) > 0;
    ++(leaves ? places[place].leaving : places[place].entering);
  }
  // An edge that is only brushed is left and entered at once: that changes nothing.
  int leaving = 0;
  for (const Place& place : places) {
    if (place.leaving > 0 && place.entering > 0) {
      unclear = true;
      continue;
    }
    if (place.entering > 0) return false;
    if (++leaving == 2) return true;
    first = place.first;
  }
  unclear = unclear || more;
  return false;
}

std::int32_t Shooter::in_sight(const Skin& skin, std::int32_t vertex) {
  Beam beam;
  if (!aim(skin, vertex, beam)) return -1;
  NearestHit nearest(skin, beam, nothing_, kInfinity, vertex, met_);
  seek(skin, beam, nearest);
  return nearest.best.face;
}

}  // namespace impinge::contact_points
