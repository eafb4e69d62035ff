#include "raster/cull.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/block.hpp"
#include "raster/cells.hpp"

namespace impinge::raster {
namespace {

constexpr int kMostBits = 6;

// Cells a few times as wide as a typical triangle, which is a few pixels; fewer for few faces.
int bits_for(std::size_t faces, std::int32_t resolution) {
  const auto wanted = static_cast<int>(std::bit_width(faces) / 2) - 2;
  const int pixels = std::countr_zero(static_cast<std::uint32_t>(resolution));
  return std::clamp(wanted, 1, std::min(kMostBits, pixels));
}

// One round: drops the faces that reach no shared cell. box_of(body, face) tells what a face
// reaches.
template <class BoxOf>
void keep_shared(Cells& cells, const std::vector<Part>& parts, const bool* alone, int workers,
                 const BoxOf& box_of, FaceLists& lists) {
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    const auto body = static_cast<std::int32_t>(part.body);
    for (const std::int32_t face : lists[index]) cells.mark(box_of(part.body, face), body);
  });
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    if (alone[part.body]) return;
    const auto body = static_cast<std::int32_t>(part.body);
    std::erase_if(lists[index],
                  [&](std::int32_t face) { return !cells.shared(box_of(part.body, face), body); });
  });
}

CellBox united(CellRange a, const CellRange& b, const CellRange& c) {
  a.include(b);
  a.include(c);
  return CellBox(a);
}

}  // namespace

FaceLists near_others(const std::vector<BodyMesh>& bodies, const std::vector<Part>& face_parts,
                      const bool* alone, const std::int32_t* snapped, std::int32_t resolution,
                      int workers) {
  FaceLists lists(face_parts.size());
  for_each_part(face_parts, workers, [&](std::size_t index, const Part& part) {
    lists[index].resize(part.end - part.begin);
    std::iota(lists[index].begin(), lists[index].end(), static_cast<std::int32_t>(part.begin));
  });
  std::size_t faces = 0, vertices = 0;
  std::vector<std::size_t> first;  // vertex of each body
  for (const BodyMesh& body : bodies) {
    first.push_back(vertices);
    faces += body.face_count;
    vertices += body.vertex_count;
  }
  const int bits = bits_for(faces, resolution);
  {
    Cells large(bits, resolution);
    const Block<CellRange> ranges = make_block<CellRange>(vertices);
    parallel_for(workers, vertices, 8192, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) ranges[i] = large.range_of(snapped + 3 * i);
    });
    const auto box_of = [&](std::size_t body, std::size_t face) {
      const std::int32_t* f = bodies[body].faces + 3 * face;
      const CellRange* mine = ranges.get() + first[body];
      return united(mine[f[0]], mine[f[1]], mine[f[2]]);
    };
    keep_shared(large, face_parts, alone, workers, box_of, lists);
  }
  // For the few that are left, smaller cells.
  const int pixels = std::countr_zero(static_cast<std::uint32_t>(resolution));
  Cells small(std::min(bits + 1, pixels), resolution);
  const auto box_of = [&](std::size_t body, std::size_t face) {
    const std::int32_t* f = bodies[body].faces + 3 * face;
    const auto range = [&](int k) { return small.range_of(snapped + 3 * (first[body] + f[k])); };
    return united(range(0), range(1), range(2));
  };
  keep_shared(small, face_parts, alone, workers, box_of, lists);
  return lists;
}

}  // namespace impinge::raster
