// Whether two moving features ever meet, exactly.
//
// Whether they meet at one time follows from the signs of some polynomials of that time: volumes
// (degree 3), areas seen along the axes (2) and differences of coordinates (1). Meeting is closed:
// if they do, there is a first time, and that is 0 or a root of one of these polynomials that is
// not zero throughout; else no sign would change there, and they would have met before. Where the
// volume of the four points is not zero throughout, they can only meet at its roots: at most three.
// Where it is, all four points stay in one plane that may turn, and the roots of areas and
// differences are the times to look at. At each of them the signs are taken exactly, at roots as
// well.
#pragma once

#include "motion/linear/polynomial.hpp"
#include "motion/linear/trajectories.hpp"

namespace impinge::motion {

class ExactMeeting {
 public:
  ExactMeeting(FeaturePair pair, const Ends& ends);

  bool at_start() const { return meets(Instant(Dyadic(0.0))); }
  bool ever() const;

 private:
  // Of three polynomials, one for each axis.
  struct Vector3 {
    Polynomial of[3];
  };
  static Vector3 minus(const Vector3& p, const Vector3& q);
  static Vector3 cross(const Vector3& p, const Vector3& q);
  Vector3 area(int i, int j, int k) const;
  bool is_flat() const { return volume_.is_zero(); }

  bool meets(const Instant& time) const;
  bool vertex_meets_face(const Instant& time) const;
  bool edges_meet(const Instant& time) const;
  bool is_on_edge(const Instant& time, int vertex, int i, int j) const;
  bool meets_at_root(const Polynomial& p) const;
  bool meets_in_plane() const;

  const FeaturePair pair_;
  Vector3 point_[4];
  Vector3 normal_;
  Polynomial volume_;
};

}  // namespace impinge::motion
