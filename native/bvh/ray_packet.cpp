#include "bvh/ray_packet.hpp"

#include <algorithm>
#include <limits>

namespace impinge {

template <RayMode kMode>
std::uint32_t RayPacket<kMode>::place(int i, std::int32_t id, const double* origin,
                                      const double* direction) {
  Ray& r = ray[i];
  FrameRay& placed = frame[i];
  r.set(origin, direction);
  best[i] = {id, -1, limits.t_max};
  const FrameRay::State state = placed.place(r, tree.frame());
  if (state == FrameRay::State::blind) {
    for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
      const bool better = test(i, slot / kLanes, static_cast<int>(slot % kLanes), 0);
      if (kMode == RayMode::any && better) break;
    }
  }
  if (state != FrameRay::State::ready) return 0;
  placed.limit(limits.t_min / r.unit, limits.t_max / r.unit);
  return 1;
}

template <RayMode kMode>
void RayPacket<kMode>::start(std::uint32_t rays) {
  begin = std::numeric_limits<float>::infinity();
  std::fill_n(length, kRays, -1.0f);
  error = 0;
  for_each_bit(rays, [&](int i) {
    begin = std::min(begin, frame[i].begin);
    error = std::max(error, frame[i].error);
  });
  for_each_bit(rays, [&](int i) { set_end(i, frame[i].end); });
}

template <RayMode kMode>
bool RayPacket<kMode>::test(int i, std::size_t leaf, int lane, int facing) {
  const LeafCorners& corners = tree.corners(leaf);
  const double* a = tree.vertex(corners.id[0][lane]);
  const double* b = tree.vertex(corners.id[1][lane]);
  const double* c = tree.vertex(corners.id[2][lane]);
  double t;
  if (facing != 0) {
    t = inner_depth(ray[i], a, b, c, facing);
  } else if (!pierces(ray[i], a, b, c, t)) {
    return false;
  }
  t *= ray[i].unit;
  if (!(limits.t_min <= t && t <= limits.t_max)) return false;
  const std::int32_t face = tree.face_of(leaf * kLanes + static_cast<std::size_t>(lane));
  Hit& found = best[i];
  if (kMode == RayMode::all) {
    sink.all->push({found.ray, face, t});
    return false;
  }
  const bool better = found.face < 0 || t < found.t || (t == found.t && face < found.face);
  if (better) found = {found.ray, face, t};
  return kMode == RayMode::any || better;
}

template struct RayPacket<RayMode::closest>;
template struct RayPacket<RayMode::any>;
template struct RayPacket<RayMode::all>;

}  // namespace impinge
