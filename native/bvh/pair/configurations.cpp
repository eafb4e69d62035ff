#include "bvh/pair/configurations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/pose_fits.hpp"

namespace impinge::bvh {
namespace {

// So many pairs are looked at one by one in each configuration; more go through the broad phase.
constexpr std::size_t kMostListed = 4096;

// Boxes that grow by it overlap wherever the distance, rounded as it is, is within the reach: it is
// too small by no more than 20 units of 2^-53 of the two bodies and the gap between them.
double half_reach(const Bounds& bounds, double reach) {
  constexpr double kSlack = 0x1p-44;
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, bounds.hi[k] - bounds.lo[k]);
  return 0.5 * reach + kSlack * (reach + size);
}

// Of the ball around the centre of a tree's frame that holds its box.
double radius_of(const Tree& tree) {
  const Bounds& box = tree.bounds();
  const Frame& frame = tree.frame();
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double r = std::max(box.hi[k] - frame.centre[k], frame.centre[k] - box.lo[k]);
    squared += r * frame.scale * (r * frame.scale);
  }
  return std::sqrt(squared) * (1 + 1e-12);
}

}  // namespace

void Configurations::place(std::size_t configuration, std::vector<Body>& bodies) const {
  for (const Column& column : moved) {
    double pose[16];
    std::copy_n(column.poses + column.step * static_cast<std::ptrdiff_t>(configuration), 16, pose);
    if (!pose_fits(pose, column.reach, farthest)) {
      throw std::invalid_argument("a pose is not finite, not affine, or moves too far");
    }
    bodies[column.body].pose = Pose(pose);
  }
}

Bounds reaching_bounds(const Body& body, std::optional<double> reach) {
  if (body.tree->empty()) return kNoBounds;
  const Bounds bounds = body.frame().world_bounds();
  return reach ? grown(bounds, half_reach(bounds, *reach)) : bounds;
}

Asked::Asked(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
             const std::vector<std::uint32_t>& self, const Configurations& configurations)
    : bodies_(bodies), only_(only), configurations_(configurations), moves_(bodies.size()) {
  for (const auto& column : configurations.moved) moves_[column.body] = true;
  for (const std::uint32_t body : self) {
    if (!bodies[body].tree->empty()) (moves_[body] ? moving_self_ : resting_self_).push_back(body);
  }
  const auto moving = [this](const BodyPair& p) { return moves_[p.a] || moves_[p.b]; };
  const std::size_t n = bodies.size(), k = configurations.moved.size();
  const std::size_t count =
      only ? static_cast<std::size_t>(std::count_if(only->begin(), only->end(), moving))
           : k * (n - k) + (k > 0 ? k * (k - 1) / 2 : 0);
  listed_ = count <= kMostListed;
  if (!listed_) return;
  const auto list = [&](const BodyPair& p) {
    const bool empty = bodies[p.a].tree->empty() || bodies[p.b].tree->empty();
    if (!empty) moving_pairs_.push_back(p);
  };
  if (only) {
    for (const BodyPair& p : *only) {
      if (moving(p)) list(p);
    }
    return;
  }
  for (const auto& column : configurations.moved) {
    const std::uint32_t a = column.body;
    for (std::uint32_t b = 0; b < n; ++b) {
      if (b > a || (b < a && !moves_[b])) list({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(moving_pairs_.begin(), moving_pairs_.end());
}

std::vector<BodyPair> Asked::resting_pairs(std::optional<double> reach, int workers) const {
  std::vector<Bounds> bounds;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bounds.push_back(moves_[i] ? kNoBounds : reaching_bounds(bodies_[i], reach));
  }
  return broad_phase(bounds, only_, workers);
}

std::vector<BodyPair> Asked::moving_pairs(const std::vector<Bounds>& bounds) const {
  std::vector<BodyPair> pairs = broad_phase(bounds, only_, 1);
  std::erase_if(pairs, [this](const BodyPair& p) { return !moves_[p.a] && !moves_[p.b]; });
  return pairs;
}

void Asked::expect(int workers) const {
  if (configurations_.moved.empty()) return;
  for (const Body& body : bodies_) body.prepared->expect_pairs(configurations_.count, workers);
}

PlacedBodies::PlacedBodies(const Asked& asked, std::optional<double> reach)
    : asked_(asked),
      reach_(reach),
      bodies_(asked.bodies()),
      balls_(bodies_.size()),
      bounds_(bodies_.size()),
      bounded_(bodies_.size()),
      moves_(bodies_.size()),
      parts_(bodies_.size()) {
  for (const auto& column : asked.configurations().moved) moves_[column.body] = true;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Slabs* slabs = bodies_[i].prepared->slabs();
    radii_.push_back(slabs ? slabs->radius() : radius_of(*bodies_[i].tree));
    measure(i);
  }
}

void PlacedBodies::place(std::size_t configuration) {
  const Configurations& all = asked_.configurations();
  all.place(configuration, bodies_);
  for (const auto& column : all.moved) measure(column.body);
}

void PlacedBodies::measure(std::uint32_t i) {
  bounded_[i] = false;
  if (bodies_[i].tree->empty()) return;
  balls_[i] = bodies_[i].frame().world_ball(radii_[i]);
  if (reach_) balls_[i].radius += half_reach(bounds(i), *reach_);
  parts_[i].placed = false;
}

void PlacedBodies::Parts::place(const std::vector<PartBall>& parts, const PlacedFrame& frame,
                                double half_reach) {
  for (std::vector<double>* column : {&x, &y, &z, &radius}) column->resize(parts.size());
  const double stretch = frame.world_stretch(), margin = frame.world_margin() + half_reach;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double local[3], world[3], rounded = 0;
    for (int k = 0; k < 3; ++k) {
      local[k] = parts[i].centre[k] / frame.frame.scale + frame.frame.centre[k];
      rounded += 0x1p-52 * std::fabs(local[k]);
    }
    place_point(frame.pose, local, world);
    x[i] = world[0];
    y[i] = world[1];
    z[i] = world[2];
    radius[i] = stretch * (parts[i].radius + rounded * frame.frame.scale) + margin;
  }
}

std::size_t PlacedBodies::Parts::near(const Ball& ball, std::size_t begin, std::size_t end,
                                      std::uint32_t* found, std::size_t n) const {
  for (std::size_t i = begin; i < end; ++i) {
    const double dx = x[i] - ball.centre[0], dy = y[i] - ball.centre[1], dz = z[i] - ball.centre[2],
                 reach = radius[i] + ball.radius;
    // no branch: nothing tells beforehand which are near
    found[n] = static_cast<std::uint32_t>(i);
    n += !are_apart(dx * dx + dy * dy + dz * dz, reach);
  }
  return n;
}

std::size_t PlacedBodies::PartsOfBody::near(const Ball& ball, std::uint32_t* found) const {
  if (fine.count() == 0) return coarse.near(ball, 0, coarse.count(), found, 0);
  std::uint32_t parents[Slabs::kMostParts + 1];
  const std::size_t m = coarse.near(ball, 0, coarse.count(), parents, 0);
  std::size_t n = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t first = kLanes * parents[i];
    n = fine.near(ball, first, std::min(first + kLanes, fine.count()), found, n);
  }
  return n;
}

const PlacedBodies::PartsOfBody& PlacedBodies::parts(std::uint32_t body) {
  PartsOfBody& own = parts_[body];
  const Slabs* slabs = bodies_[body].prepared->slabs();
  if (!own.placed && slabs) {
    const PlacedFrame frame = bodies_[body].frame();
    const double half = reach_ ? half_reach(bounds(body), *reach_) : 0;
    own.coarse.place(slabs->parts(), frame, half);
    if (!moves_[body]) own.fine.place(slabs->fine_parts(), frame, half);
  }
  own.placed = true;
  return own;
}

bool PlacedBodies::parts_may_meet(const BodyPair& p) {
  const PartsOfBody &a = parts(p.a), &b = parts(p.b);
  if (a.coarse.count() == 0 || b.coarse.count() == 0) return true;
  // one more than there can be: the last one is written before it is known to count
  std::uint32_t near_a[Slabs::kMostFineParts + 1], near_b[Slabs::kMostFineParts + 1];
  const std::size_t n = a.near(balls_[p.b], near_a);
  const std::size_t m = n ? b.near(balls_[p.a], near_b) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Ball part = a.finest().ball(near_a[i]);
    for (std::size_t j = 0; j < m; ++j) {
      if (!apart(part, b.finest().ball(near_b[j]))) return true;
    }
  }
  return false;
}

void PlacedBodies::near_pairs(const std::vector<BodyPair>* listed, std::vector<BodyPair>& near) {
  near.clear();
  if (!listed) {
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) bounds(i);
    near = asked_.moving_pairs(bounds_);
    return;
  }
  for (const BodyPair& p : *listed) {
    if (may_meet(p)) near.push_back(p);
  }
}

}  // namespace impinge::bvh
