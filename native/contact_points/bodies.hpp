// What every query of contacts does first with its bodies, and last with its contacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "contact_points/point_contact.hpp"
#include "contact_points/skin.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::contact_points {

// The boxes of all bodies; inside out for those without faces.
std::vector<Bounds> measure(const std::vector<const Skin*>& bodies, int workers);

// The diagonal of the box of them all.
double diagonal_of(const std::vector<Bounds>& bounds);

// Which bodies are in a pair or alone.
std::vector<bool> involved(std::size_t count, const std::vector<BodyPair>& pairs,
                           const std::vector<std::uint32_t>& alone);

// The structures of those bodies that are involved, side by side when there are enough of them.
void prepare(const std::vector<const Skin*>& bodies, const std::vector<bool>& involved, Along along,
             int workers);

// All contacts after each other.
Buffer<PointContact> joined(const std::vector<std::vector<PointContact>>& parts, int workers);

}  // namespace impinge::contact_points
