// Contacts of bodies that are near each other: every vertex and face, and every two edges, that are
// closer than a threshold.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/ticker.hpp"
#include "contact_points/point_contact.hpp"
#include "contact_points/skin.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::contact_points {

struct ProximityContacts {
  Buffer<PointContact> contacts;  // by bodies, faces before edges, vertices
  std::uint64_t body_pairs = 0, leaf_pairs = 0, candidates = 0;
  double broad_seconds = 0, build_seconds = 0, traverse_seconds = 0, exact_seconds = 0;
};

// `only` and `alone` as in `ray_contacts`. Features that share a vertex are no contact.
ProximityContacts proximity_contacts(const std::vector<const Skin*>& bodies,
                                     const std::vector<BodyPair>* only,
                                     const std::vector<std::uint32_t>& alone, double threshold,
                                     int workers, const Ticker::Callback& tick);

}  // namespace impinge::contact_points
