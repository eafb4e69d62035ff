#include "mesh/corner_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace impinge {
namespace {

// Coordinates in the frame of a box pass through 4 roundings, each of at most 2^-53 of the reach,
// differences of them through 9, and products of those through 20: far less than these.
constexpr double kLengthError = 0x1p-47;
constexpr double kAreaError = 0x1p-43;

double along(const PlanePoint& p, const PlanePoint& origin, const PlanePoint& axis) {
  return (p.x - origin.x) * axis.x + (p.y - origin.y) * axis.y;
}

double across(const PlanePoint& p, const PlanePoint& origin, const PlanePoint& axis) {
  return (p.y - origin.y) * axis.x - (p.x - origin.x) * axis.y;
}

}  // namespace

void CornerTree::build(std::span<const PlanePoint> points, std::span<const std::int32_t> members) {
  points_ = points;
  members_.assign(members.begin(), members.end());
  leaf_.resize(points.size());
  place_.resize(points.size());
  rebuild();
}

void CornerTree::rebuild() {
  nodes_.clear();
  if (!members_.empty()) add_node(0, 0, static_cast<std::int32_t>(members_.size()));
}

std::int32_t CornerTree::add_node(std::int32_t parent, std::int32_t begin, std::int32_t end) {
  const auto index = static_cast<std::int32_t>(nodes_.size());
  Node node{};
  node.parent = parent;
  node.begin = begin;
  node.alive = end - begin;
  fit(node, begin, end);
  nodes_.push_back(node);
  if (end - begin <= kLeaf) {
    for (std::int32_t i = begin; i < end; ++i) {
      leaf_[members_[i]] = index;
      place_[members_[i]] = i;
    }
    return index;
  }
  const std::int32_t middle = begin + (end - begin) / 2;
  const auto first = members_.begin();
  std::nth_element(first + begin, first + middle, first + end, [&](std::int32_t a, std::int32_t b) {
    return along(points_[a], node.origin, node.along) < along(points_[b], node.origin, node.along);
  });
  add_node(index, begin, middle);
  nodes_[index].second = add_node(index, middle, end);
  return index;
}

// Along the axis of the largest spread.
void CornerTree::fit(Node& node, std::int32_t begin, std::int32_t end) const {
  node.origin = points_[members_[begin + (end - begin) / 2]];
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (std::int32_t i = begin; i < end; ++i) {
    const PlanePoint& p = points_[members_[i]];
    const double dx = p.x - node.origin.x, dy = p.y - node.origin.y;
    x += dx, y += dy;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  const double n = end - begin;
  const double angle = 0.5 * std::atan2(2 * (xy - x * y / n), (xx - x * x / n) - (yy - y * y / n));
  node.along = {std::cos(angle), std::sin(angle)};
  node.one_place = true;
  for (std::int32_t i = begin; i < end; ++i) {
    const PlanePoint& p = points_[members_[i]];
    node.one_place = node.one_place && p == node.origin;
    const double at[2] = {impinge::along(p, node.origin, node.along),
                          across(p, node.origin, node.along)};
    for (int k = 0; k < 2; ++k) {
      node.low[k] = std::min(node.low[k], at[k]);
      node.high[k] = std::max(node.high[k], at[k]);
    }
  }
}

// By the axes of the box, and by the sides of the triangle: whether the corner of the box that is
// the farthest to the left of a side is still to its right.
bool CornerTree::Node::misses(const PlanePoint (&triangle)[3]) const {
  double u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = impinge::along(triangle[k], origin, along);
    v[k] = across(triangle[k], origin, along);
  }
  const double left = std::min({u[0], u[1], u[2]}), right = std::max({u[0], u[1], u[2]});
  const double down = std::min({v[0], v[1], v[2]}), up = std::max({v[0], v[1], v[2]});
  const double reach = std::max({-left, right, -down, up, -low[0], high[0], -low[1], high[1]});
  const double length = kLengthError * reach;
  if (left > high[0] + length || right < low[0] - length || down > high[1] + length ||
      up < low[1] - length) {
    return true;
  }
  const double area = kAreaError * reach * reach + 1e-300;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const double du = u[next] - u[k], dv = v[next] - v[k];
    const double far_u = dv > 0 ? low[0] : high[0], far_v = du > 0 ? high[1] : low[1];
    if (du * (far_v - v[k]) - dv * (far_u - u[k]) < -area) return true;
  }
  return false;
}

void CornerTree::remove(std::int32_t member) {
  const std::int32_t leaf = leaf_[member];
  const std::int32_t last = members_[nodes_[leaf].begin + nodes_[leaf].alive - 1];
  members_[place_[member]] = last;
  place_[last] = place_[member];
  for (std::int32_t node = leaf;; node = nodes_[node].parent) {
    --nodes_[node].alive;
    if (node == 0) break;
  }
  // Boxes around points that are gone are too large.
  const auto built = static_cast<std::int32_t>(members_.size());
  if (built > kLeaf && nodes_[0].alive <= built / 2) {
    std::int32_t kept = 0;
    for (const Node& node : nodes_) {
      if (node.second != 0) continue;
      for (std::int32_t i = 0; i < node.alive; ++i) members_[kept++] = members_[node.begin + i];
    }
    members_.resize(kept);
    rebuild();
  }
}

}  // namespace impinge
