// What a walk along a ray looks for; each of these judges the faces that the walk comes by.
//
// The verdict is that of `crosses` alone, and of equally near hits the lowest face wins: so it does
// not matter which structure found the faces, nor in what order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact_points/skin.hpp"
#include "geometry/crossing.hpp"

namespace impinge::contact_points {

// Which faces a ray has met already; one for each thread and all its rays.
class Mailbox {
 public:
  void next_ray(std::size_t faces) {
    if (last_.size() < faces) last_.resize(faces, 0);
    if (++ray_ != 0) return;
    std::fill(last_.begin(), last_.end(), 0);
    ray_ = 1;
  }
  bool is_new(std::int32_t face) {
    if (last_[static_cast<std::size_t>(face)] == ray_) return false;
    last_[static_cast<std::size_t>(face)] = ray_;
    return true;
  }

 private:
  std::uint32_t ray_ = 0;
  std::vector<std::uint32_t> last_;
};

struct FaceHit {
  std::int32_t face = -1;
  Crossing at{std::numeric_limits<double>::infinity(), 0, 0};

  bool before(const FaceHit& other) const {
    return at.t != other.at.t ? at.t < other.at.t : face < other.face;
  }
};

// The faces of one skin that a ray meets behind `begin`, but for those at the vertex `from`.
class Probe {
 public:
  Probe(const Skin& skin, const Beam& beam, double begin, std::int32_t from, Mailbox& met)
      : skin_(skin),
        beam_(beam),
        slack_(kBodyTolerance * skin.extent()),
        begin_(begin),
        from_(from),
        met_(met) {
    met.next_ray(skin.face_count());
  }
  std::uint64_t tests = 0;

 protected:
  // Whether it is hit between `begin` and `end`.
  bool meets(std::int32_t face, double end, FaceHit& hit) {
    if (!met_.is_new(face)) return false;
    ++tests;
    const std::int32_t* c = skin_.face(face);
    hit.face = face;
    return crosses(beam_, skin_.vertex(c[0]), skin_.vertex(c[1]), skin_.vertex(c[2]), slack_,
                   hit.at) &&
           hit.at.t > begin_ && hit.at.t <= end && (from_ < 0 || !skin_.is_corner(from_, face));
  }

 private:
  const Skin& skin_;
  const Beam& beam_;
  const double slack_, begin_;
  const std::int32_t from_;
  Mailbox& met_;
};

class NearestHit : public Probe {
 public:
  NearestHit(const Skin& skin, const Beam& beam, double begin, double end, std::int32_t from,
             Mailbox& met)
      : Probe(skin, beam, begin, from, met), end_(end) {}

  FaceHit best;

  double end() const { return end_; }
  void test(std::int32_t face) {
    FaceHit hit;
    if (!meets(face, end_, hit) || !hit.before(best)) return;
    best = hit;
    end_ = hit.at.t;
  }

 private:
  double end_;
};

// Whether there is one before `end`.
class AnyHit : public Probe {
 public:
  AnyHit(const Skin& skin, const Beam& beam, double begin, double end, std::int32_t from,
         Mailbox& met)
      : Probe(skin, beam, begin, from, met), limit_(end), end_(end) {}

  bool found = false;

  double end() const { return end_; }
  void test(std::int32_t face) {
    FaceHit hit;
    if (found || !meets(face, limit_, hit) || hit.at.t >= limit_) return;
    found = true;
    end_ = -std::numeric_limits<double>::infinity();
  }

 private:
  const double limit_;
  double end_;
};

// All hits up to the second place along the ray; with `all` every hit. Those that are nearer
// together than `same` are one place.
class FirstHits : public Probe {
 public:
  FirstHits(const Skin& skin, const Beam& beam, double begin, std::int32_t from, double same,
            bool all, Mailbox& met)
      : Probe(skin, beam, begin, from, met), same_(same), all_(all) {}

  std::vector<FaceHit> hits;  // before `finish` in no order, some of them too far

  double end() const { return all_ ? kInfinity : second_ + same_; }
  void test(std::int32_t face) {
    FaceHit hit;
    if (!meets(face, end(), hit)) return;
    hits.push_back(hit);
    const double t = hit.at.t;
    if (t < first_) {
      second_ = first_ > t + same_ ? first_ : second_;
      first_ = t;
    } else if (t > first_ + same_ && t < second_) {
      second_ = t;
    }
  }

  // Sorts the hits. Which ones behind the second place were found is up to the walk: they go.
  // Whether there may be some.
  bool finish() {
    std::sort(hits.begin(), hits.end(),
              [](const FaceHit& a, const FaceHit& b) { return a.before(b); });
    if (all_ || hits.empty()) return false;
    const auto second = behind(hits.front().at.t + same_);
    if (second == hits.end()) return false;
    hits.erase(behind(second->at.t + same_), hits.end());
    return true;
  }

 private:
  std::vector<FaceHit>::iterator behind(double t) {
    return std::find_if(hits.begin(), hits.end(), [t](const FaceHit& h) { return h.at.t > t; });
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double same_;
  const bool all_;
  double first_ = kInfinity, second_ = kInfinity;
};

}  // namespace impinge::contact_points
