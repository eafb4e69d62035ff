// Contacts of bodies that overlap, after Hermann, Faure and Raffin (2008): a ray from every vertex
// of one into its own inside, until it leaves the other.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/ticker.hpp"
#include "contact_points/point_contact.hpp"
#include "contact_points/skin.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::contact_points {

struct RayOptions {
  Along along;
  bool symmetric;  // rays from the second body of a pair too
};

struct RayCounters {
  std::uint64_t shot = 0;
  std::uint64_t unreliable = 0;  // vertices whose normal tells no way inside
  std::uint64_t entering = 0;    // rejected: the first face of the other body is entered there
  std::uint64_t outside = 0;     // rejected: that face is reached outside the own body
  std::uint64_t tests = 0;       // of a ray and a face
};

struct RayContacts {
  Buffer<PointContact> contacts;  // by body, other body, vertex
  RayCounters counters;
  std::uint64_t body_pairs = 0;
  double broad_seconds = 0, build_seconds = 0, rays_seconds = 0;
};

// `only` are the pairs of bodies to look at, sorted; without it all of them. For each of the bodies
// in `alone` the rays go through itself, and `rest` has the face that each of its vertices sees
// first at rest.
RayContacts ray_contacts(const std::vector<const Skin*>& bodies, const std::vector<BodyPair>* only,
                         const std::vector<std::uint32_t>& alone,
                         const std::vector<const std::int32_t*>& rest, const RayOptions& options,
                         int workers, const Ticker::Callback& tick);

// The first face that the ray from each vertex hits inside its own body; -1 for none.
std::vector<std::int32_t> faces_in_sight(const Skin& skin, Along along, int workers);

}  // namespace impinge::contact_points
