// A face cut by the faces it meets: the places next to which every piece of it can be seen.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solids/exact_geometry.hpp"

namespace impinge::solids {

// A face with area. `id` counts through all faces of a question.
struct CutFace {
  std::uint32_t id;
  Triangle t;
  ExactVector normal;
  ExactPlane edge[3];  // zero on an edge, above 0 on the inside of it

  CutFace(std::uint32_t id, const Triangle& triangle);
  CutFace(const CutFace&) = delete;
  CutFace& operator=(const CutFace&) = delete;

  ExactPlane plane() const { return {normal, t[0]}; }
};

// A segment in which two faces meet, or a side of the polygon in which they do.
struct Cut {
  ExactPoint from, to;
  ExactPlane across;  // zero on the line of the segment, among the points of the face
  ExactVector along;
};

// Where on a face a line runs: along an edge, which is 0 to 2, through its inside, or not at all.
constexpr int kInside = 3, kNowhere = -1;

// A part of a cut on which no other cut begins or ends: `at` is a point of it.
struct Place {
  const Cut& cut;
  ExactPoint at;

  // How a face lies there.
  int on(const CutFace& face) const;
};

// Whether a point is on the closed face.
bool is_on(const CutFace& face, const ExactPoint& point);

class FaceCuts {
 public:
  FaceCuts(const CutFace& face, const std::vector<const CutFace*>& others);

  // A place on each part of all cuts.
  void for_each_place(const std::function<void(const Place&)>& visit) const;
  // All ends of these parts.
  void for_each_end(const std::function<void(const ExactPoint&)>& visit) const;

 private:
  std::vector<Cut> cuts_;
};

}  // namespace impinge::solids
