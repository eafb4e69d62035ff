// Bodies of a scene in many configurations: some of them are somewhere else in each, all others
// stay where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bvh/pair/prepared_tree.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::bvh {

struct Configurations {
  std::vector<std::uint32_t> moved;  // bodies, each once
  const double* poses;               // (count, moved, 4, 4)
  std::size_t count;

  void place(std::size_t i, std::vector<Body>& bodies) const {
    const double* pose = poses + 16 * moved.size() * i;
    for (std::size_t k = 0; k < moved.size(); ++k) bodies[moved[k]].pose = Pose(pose + 16 * k);
  }
};

// Which bodies are asked about, parted into those that are asked about in every configuration anew
// and those that are not. Keeps all references.
class Asked {
 public:
  Asked(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
        const std::vector<std::uint32_t>& self, const Configurations& configurations);

  const std::vector<Body>& bodies() const { return bodies_; }
  const Configurations& configurations() const { return configurations_; }

  // Of bodies that stay, with boxes that meet when they are grown to `reach`; sorted.
  std::vector<BodyPair> resting_pairs(std::optional<double> reach, int workers) const;
  const std::vector<std::uint32_t>& resting_self() const { return resting_self_; }

  // With a body that moves, sorted; null where there are too many to look at each of them.
  const std::vector<BodyPair>* moving_pairs() const { return listed_ ? &moving_pairs_ : nullptr; }
  const std::vector<std::uint32_t>& moving_self() const { return moving_self_; }
  // Those whose boxes meet, where they are not listed.
  std::vector<BodyPair> moving_pairs(const std::vector<Bounds>& bounds) const;

  // Word to the trees of so many queries to come.
  void expect(int workers) const;

 private:
  const std::vector<Body>& bodies_;
  const std::vector<BodyPair>* only_;
  const Configurations& configurations_;
  std::vector<bool> moves_;
  bool listed_;
  std::vector<BodyPair> moving_pairs_;
  std::vector<std::uint32_t> resting_self_, moving_self_;
};

// The bodies in one configuration after the other, and which of them may be within a reach: none
// is for those that meet. Belongs to one thread.
class PlacedBodies {
 public:
  PlacedBodies(const Asked& asked, std::optional<double> reach);

  void place(std::size_t configuration);
  const Body& operator[](std::uint32_t body) const { return bodies_[body]; }
  const std::vector<Body>& all() const { return bodies_; }

  bool may_meet(const BodyPair& p) const {
    return !apart(balls_[p.a], balls_[p.b]) && !apart(bounds_[p.a], bounds_[p.b]);
  }
  // Those pairs of `listed`, or of all if it is null, that may meet.
  void near_pairs(const std::vector<BodyPair>* listed, std::vector<BodyPair>& near) const;

 private:
  void measure(std::uint32_t body);

  const Asked& asked_;
  const std::optional<double> reach_;
  std::vector<Body> bodies_;
  std::vector<double> radii_;  // of balls around the centres of the trees, in their units
  std::vector<Ball> balls_;
  std::vector<Bounds> bounds_;
};

// The box around a body in the world, grown so that boxes of bodies within `reach` meet.
Bounds reaching_bounds(const Body& body, std::optional<double> reach);

}  // namespace impinge::bvh
