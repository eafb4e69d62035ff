#include "raster/gather.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "mesh/weld.hpp"
#include "raster/cull.hpp"

namespace impinge::raster {
namespace {

// So large that doubles near it are whole numbers: adding it rounds to the nearest.
constexpr double kRounder = 0x1.8p52;

// Faces with their ids in the gathered vertices.
class FaceReader {
 public:
  FaceReader(const std::vector<BodyMesh>& bodies, const bool* alone, int workers)
      : bodies_(bodies), welded_(bodies.size()) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      offsets_.push_back(static_cast<std::int32_t>(vertices_));
      vertices_ += bodies[b].vertex_count;
      if (alone[b]) welded_[b] = weld(bodies[b].vertices, bodies[b].vertex_count, workers);
    }
  }

  std::size_t vertices() const { return vertices_; }
  std::int32_t offset(std::size_t body) const { return offsets_[body]; }

  void read(std::size_t body, std::size_t face, std::int32_t* to) const {
    const std::int32_t* f = bodies_[body].faces + 3 * face;
    const std::vector<std::int32_t>& first = welded_[body];
    for (int i = 0; i < 3; ++i) to[i] = offsets_[body] + (first.empty() ? f[i] : first[f[i]]);
  }

 private:
  const std::vector<BodyMesh>& bodies_;
  std::vector<std::vector<std::int32_t>> welded_;
  std::vector<std::int32_t> offsets_;
  std::size_t vertices_ = 0;
};

}  // namespace

void snap(const Projection& p, const double* vertices, std::size_t n, std::int32_t* to) {
  for (std::size_t i = 0; i < n; ++i) {
    const double* v = vertices + 3 * i;
    const double d[3] = {v[0] - p.centre[0], v[1] - p.centre[1], v[2] - p.centre[2]};
    for (int k = 0; k < 3; ++k) {
      const double* axis = p.axis[k];
      const double along = (axis[0] * d[0] + axis[1] * d[1]) + axis[2] * d[2];
      // Vertices that no face uses may be anywhere.
      const double most = p.middle[k];
      const double steps = std::clamp(along * p.scale[k], -most, most);
      to[3 * i + k] = p.middle[k] + static_cast<std::int32_t>((steps + kRounder) - kRounder);
    }
  }
}

Gathered gather(const std::vector<BodyMesh>& bodies, const bool* alone,
                const Projection& projection, std::int32_t resolution, bool cull, int workers) {
  const FaceReader reader(bodies, alone, workers);
  Gathered all;
  all.vertices = reader.vertices();
  all.snapped = make_block<std::int32_t>(3 * all.vertices);
  const auto points = parts_of(bodies, &BodyMesh::vertex_count);
  for_each_part(points, workers, [&](std::size_t, const Part& part) {
    snap(projection, bodies[part.body].vertices + 3 * part.begin, part.end - part.begin,
         all.snapped.get() + 3 * (reader.offset(part.body) + part.begin));
  });

  const auto parts = parts_of(bodies, &BodyMesh::face_count);
  FaceLists kept;
  // Bodies that are alone stay whole.
  cull = cull && !std::all_of(alone, alone + bodies.size(), [](bool a) { return a; });
  if (cull) kept = near_others(bodies, parts, alone, all.snapped.get(), resolution, workers);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    starts.push_back(all.size);
    all.size += cull ? kept[i].size() : parts[i].end - parts[i].begin;
  }
  all.faces = make_block<std::int32_t>(3 * all.size);
  all.body = make_block<std::int32_t>(all.size);
  all.face = make_block<std::int32_t>(all.size);
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    const std::size_t count = cull ? kept[index].size() : part.end - part.begin;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = starts[index] + i;
      all.face[at] = cull ? kept[index][i] : static_cast<std::int32_t>(part.begin + i);
      all.body[at] = static_cast<std::int32_t>(part.body);
      reader.read(part.body, all.face[at], all.faces.get() + 3 * at);
    }
  });
  return all;
}

}  // namespace impinge::raster
