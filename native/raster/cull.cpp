#include "raster/cull.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

#include "raster/cells.hpp"

namespace impinge {
namespace {

constexpr int kMostBits = 6;

// Cells a few times as wide as a typical triangle, which is a few pixels; fewer for few faces.
int bits_for(std::size_t faces, std::int32_t resolution) {
  const auto wanted = static_cast<int>(std::bit_width(faces) / 2) - 2;
  const int pixels = std::countr_zero(static_cast<std::uint32_t>(resolution));
  return std::clamp(wanted, 1, std::min(kMostBits, pixels));
}

// One round: each list becomes shorter.
void keep_shared(const std::vector<BodyMesh>& bodies, const std::vector<Part>& parts,
                 const bool* alone, const std::vector<const CellRange*>& reached, Cells& cells,
                 int workers, FaceLists& lists) {
  const auto range_of = [&](const Part& part, std::int32_t face) {
    const std::int32_t* f = bodies[part.body].faces + 3 * std::size_t(face);
    CellRange range = reached[part.body][f[0]];
    range.include(reached[part.body][f[1]]);
    range.include(reached[part.body][f[2]]);
    return range;
  };
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    const auto body = static_cast<std::int32_t>(part.body);
    for (const std::int32_t face : lists[index]) cells.mark(range_of(part, face), body);
  });
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    if (alone[part.body]) return;
    std::erase_if(lists[index], [&](std::int32_t face) {
      return !cells.shared(range_of(part, face), static_cast<std::int32_t>(part.body));
    });
  });
}

}  // namespace

FaceLists near_others(const std::vector<BodyMesh>& bodies, const std::vector<Part>& face_parts,
                      const bool* alone, const std::int32_t* snapped, std::int32_t resolution,
                      int workers) {
  FaceLists lists(face_parts.size());
  std::size_t faces = 0, vertices = 0;
  for_each_part(face_parts, workers, [&](std::size_t index, const Part& part) {
    lists[index].resize(part.end - part.begin);
    std::iota(lists[index].begin(), lists[index].end(), static_cast<std::int32_t>(part.begin));
  });
  for (const BodyMesh& body : bodies) {
    faces += body.face_count;
    vertices += body.vertex_count;
  }
  std::unique_ptr<CellRange[]> ranges(new CellRange[vertices]);
  std::vector<const CellRange*> reached;
  for (std::size_t b = 0, offset = 0; b < bodies.size(); offset += bodies[b++].vertex_count) {
    reached.push_back(ranges.get() + offset);
  }
  // Few large cells leave little for the many small ones.
  const int bits = bits_for(faces, resolution);
  const int pixels = std::countr_zero(static_cast<std::uint32_t>(resolution));
  for (const int round_bits : {bits, std::min(bits + 1, pixels)}) {
    Cells cells(round_bits, resolution);
    parallel_for(workers, vertices, 8192, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) ranges[i] = cells.range_of(snapped + 3 * i);
    });
    keep_shared(bodies, face_parts, alone, reached, cells, workers, lists);
  }
  return lists;
}

}  // namespace impinge
