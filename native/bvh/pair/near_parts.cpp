#include "bvh/pair/near_parts.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "bvh/pair/near_cells.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kGrain = 1 << 14;

using Words = std::vector<std::uint32_t>;
using Ids = std::vector<std::int32_t>;

struct Point {
  double xyz[3];

  Point(const PlacedMesh& mesh, std::size_t i) {
    place_point(mesh.pose, mesh.vertices + 3 * i, xyz);
  }
};

bool empty(const Bounds& box) {
  return !(box.lo[0] <= box.hi[0] && box.lo[1] <= box.hi[1] && box.lo[2] <= box.hi[2]);
}

Words words_of(const PlacedMesh& mesh, const Cells& cells, int workers) {
  Words words(mesh.vertex_count);
  parallel_for(workers, mesh.vertex_count, kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) words[i] = cells.word(Point(mesh, i).xyz);
  });
  return words;
}

// Of n faces, face(i) being the i-th, those in the shared box that keep(range) keeps, in order.
template <class Face, class Keep>
Ids kept_of(const PlacedMesh& mesh, const Words& words, std::size_t n, int workers,
            const Face& face, const Keep& keep) {
  std::vector<Ids> parts(n / kGrain + 1);
  parallel_for(workers, n, kGrain, [&](std::size_t i, std::size_t end, int) {
    Ids& part = parts[i / kGrain];
    for (; i < end; ++i) {
      const std::int32_t id = face(i);
      const std::int32_t* corner = mesh.faces + 3 * static_cast<std::size_t>(id);
      const std::uint32_t a = words[corner[0]], b = words[corner[1]], c = words[corner[2]];
      if (!Cells::outside(a, b, c) && keep(CellRange(a, b, c))) part.push_back(id);
    }
  });
  Ids kept;
  for (const Ids& part : parts) kept.insert(kept.end(), part.begin(), part.end());
  return kept;
}

MeshPart part_of(const PlacedMesh& mesh, Ids ids) {
  MeshPart part;
  std::vector<std::int32_t> number(mesh.vertex_count, -1);
  part.faces.reserve(3 * ids.size());
  for (const std::int32_t id : ids) {
    for (int corner = 0; corner < 3; ++corner) {
      const std::int32_t vertex = mesh.faces[3 * static_cast<std::size_t>(id) + corner];
      if (number[vertex] < 0) {
        number[vertex] = static_cast<std::int32_t>(part.vertices.size() / 3);
        const Point point(mesh, static_cast<std::size_t>(vertex));
        part.vertices.insert(part.vertices.end(), point.xyz, point.xyz + 3);
      }
      part.faces.push_back(number[vertex]);
    }
  }
  part.ids = std::move(ids);
  return part;
}

}  // namespace

Bounds bounds_of(const PlacedMesh& mesh, int workers) {
  std::vector<Bounds> parts(static_cast<std::size_t>(workers), kNoBounds);
  parallel_for(workers, mesh.vertex_count, kGrain, [&](std::size_t i, std::size_t end, int worker) {
    Bounds part = kNoBounds;
    if (mesh.pose.identity) {
      part = impinge::bounds_of(mesh.vertices + 3 * i, end - i);
    } else {
      for (; i < end; ++i) {
        const Point point(mesh, i);
        include(part, point.xyz, point.xyz);
      }
    }
    include(parts[static_cast<std::size_t>(worker)], part.lo, part.hi);
  });
  Bounds whole = kNoBounds;
  for (const Bounds& part : parts) include(whole, part.lo, part.hi);
  return whole;
}

std::array<MeshPart, 2> near_parts(const PlacedMesh& a, const PlacedMesh& b, const Bounds& both,
                                   int workers) {
  if (empty(both)) return {};
  const Cells cells(both);
  const Words words_a = words_of(a, cells, workers), words_b = words_of(b, cells, workers);
  const auto nth = [](std::size_t i) { return static_cast<std::int32_t>(i); };
  TakenCells of_a(workers > 1), of_b(workers > 1);
  Ids ids_a = kept_of(a, words_a, a.face_count, workers, nth, [&](const CellRange& range) {
    of_a.take(range);
    return true;
  });
  Ids ids_b = kept_of(b, words_b, b.face_count, workers, nth, [&](const CellRange& range) {
    const bool meets = of_a.meets(range);
    if (meets) of_b.take(range);
    return meets;
  });
  const auto listed = [&](std::size_t i) { return ids_a[i]; };
  ids_a = kept_of(a, words_a, ids_a.size(), workers, listed,
                  [&](const CellRange& range) { return of_b.meets(range); });
  return {part_of(a, std::move(ids_a)), part_of(b, std::move(ids_b))};
}

}  // namespace impinge::bvh
