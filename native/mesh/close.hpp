// Closing a surface: seams are welded, small holes filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

struct CloseOptions {
  double seam;  // vertices of open edges that are not farther apart are one
  double hole;  // outlines of open edges that are not longer are filled, and narrower slits
};

struct ClosedSurface {
  std::vector<double> vertices;      // (n, 3); nothing when none has moved
  std::vector<std::int32_t> filled;  // (f, 3) faces that fill holes
  std::size_t open_edges = 0;        // that were open before
  std::size_t left_open = 0;         // that are open still; then nothing was changed
  std::size_t welded = 0;            // vertices that have moved
  std::size_t holes = 0;             // filled
};

// Faces (m, 3) of vertices (n, 3). Only vertices of open edges move, each to another one; an edge
// is open when it is not used equally often in both directions, equal vertices counting as one.
ClosedSurface close_surface(const double* vertices, std::size_t n, const std::int32_t* faces,
                            std::size_t m, const CloseOptions& options, int workers);

}  // namespace impinge
