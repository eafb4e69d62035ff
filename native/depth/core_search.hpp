// Whether common points of two solids are deeper than any on their surfaces.
//
// Such a point is one where the distance from a boundary is not less than around it; where that
// distance rises everywhere there is none, whatever the cell. Cells are left
// out when they have no common point, when they cannot be deep enough, or when there is no such
// place in them. Around a point that is deeper than the surfaces all is common as far as that: so
// it is as far from the other boundary, at least.
#pragma once

#include <array>
#include <vector>

#include "depth/bracket.hpp"
#include "depth/cell_part.hpp"
#include "depth/distance_to.hpp"
#include "geometry/frame.hpp"

namespace impinge::depth {

class CoreSearch {
 public:
  // No point of a surface is deeper than `on_surfaces`, no common point than `cap`. From which of
  // the boundaries the distance rises everywhere.
  CoreSearch(const DistanceTo& a, const DistanceTo& b, Bracket& bracket, double on_surfaces,
             double cap, std::array<bool, 2> rises = {false, false})
      : to_{&a, &b},
        rises_(rises),
        bracket_(bracket),
        on_surfaces_(on_surfaces),
        cap_(cap),
        at_first_(bracket.lower()) {}

  // All common points are within the bounds. The answer is the same for any number of workers.
  void run(const Bounds& bounds, int workers);

 private:
  struct Cell {
    double upper;
    double centre[3], half[3];
    std::size_t start[2];  // of the searches for the boundaries
    bool operator<(const Cell& other) const { return upper < other.upper; }
  };
  // From the centre of a cell at a boundary.
  struct Look {
    double distance;  // negative outside
    Triangle triangle;
    double nearest[3];
  };
  // What is known of a new cell.
  struct Finding {
    Cell cell;          // what is left of it
    double depth = -1;  // of its centre, if that is common
    double centre[3] = {};
  };
  using Eyes = DistanceTo[2];

  std::size_t most_cells() const;
  Finding look_at(Cell cell, Eyes& to) const;
  double upper_in(const Cell& cell, const Look (&looks)[2], int solid, double radius, Eyes& to,
                  CellPart& part) const;
  static bool rises(Cell cell, const CellPart& part, const Look& own, double upper,
                    const bvh::Tree& tree);
  static void shrink(Cell& cell, const CellPart& part);
  void take_best(std::vector<Finding>& halves);
  void keep(const std::vector<Finding>& found);

  const DistanceTo* to_[2];
  const std::array<bool, 2> rises_;
  Bracket& bracket_;
  const double on_surfaces_, cap_, at_first_;
  std::vector<Cell> heap_;
  std::size_t cells_ = 0;
};

}  // namespace impinge::depth
