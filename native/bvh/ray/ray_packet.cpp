#include "bvh/ray/ray_packet.hpp"

#include <algorithm>
#include <limits>

namespace impinge::bvh {

template <RayMode kMode>
std::uint32_t RayPacket<kMode>::start(int n) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const int lanes = (n + kLanes - 1) / kLanes * kLanes;
  std::fill(ray + n, ray + lanes, ray[n - 1]);
  frame.place(ray, n, tree.frame());
  frame.limit(ray, n, limits.t_min, limits.t_max);
  std::uint32_t ready = ~0u >> (kPacketRays - n);
  if (!frame.all_ready()) {
    for (int i = 0; i < lanes; ++i) {
      if (i < n && frame.state(i) == RayState::blind) test_all(i);
      if (frame.state(i) == RayState::ready) continue;
      ready &= ~(1u << i);
      frame.begin[i] = kInfinity;
      frame.end[i] = -kInfinity;
    }
  }
  Float8 first(kInfinity);
  for (int i = 0; i < n; i += kLanes) first = min(first, Float8::load(frame.begin + i));
  begin = lowest(first);
  for (int i = 0; i < n; i += kLanes) {
    (Float8::load(frame.end + i) - Float8(begin)).store(length + i);
  }
  return ready;
}

// Where floats tell nothing.
template <RayMode kMode>
void RayPacket<kMode>::test_all(int i) {
  for (std::size_t slot = 0; slot < tree.face_count(); ++slot) {
    const bool better = test(i, slot, corners(slot / kLanes, static_cast<int>(slot % kLanes)), 0);
    if (kMode == RayMode::any && better) break;
  }
}

template struct RayPacket<RayMode::closest>;
template struct RayPacket<RayMode::any>;
template struct RayPacket<RayMode::all>;

}  // namespace impinge::bvh
