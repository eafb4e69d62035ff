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
  // The poses of one body, 16 numbers each, so many numbers from each other; somebody else may
  // write to them. None may move `reach` beyond what exact tests can take.
  struct Column {
    std::uint32_t body;
    const double* poses;
    std::ptrdiff_t step;
    double reach;
  };
  std::vector<Column> moved;  // each body once
  std::size_t count = 0;
  double farthest = 0;

  // Throws where a pose is not finite, not affine, or moves too far.
  void place(std::size_t configuration, std::vector<Body>& bodies) const;
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

// The box around a body in the world, grown so that boxes of bodies within `reach` meet.
Bounds reaching_bounds(const Body& body, std::optional<double> reach);

// The bodies in one configuration after the other, and which of them may be within a reach: none
// is for those that meet. Belongs to one thread.
class PlacedBodies {
 public:
  PlacedBodies(const Asked& asked, std::optional<double> reach);

  void place(std::size_t configuration);
  const Body& operator[](std::uint32_t body) const { return bodies_[body]; }
  const std::vector<Body>& all() const { return bodies_; }

  bool may_meet(const BodyPair& p) {
    return !apart(balls_[p.a], balls_[p.b]) && !apart(bounds(p.a), bounds(p.b));
  }
  // Whether some large parts of them may, too; for those that may meet as wholes.
  bool parts_may_meet(const BodyPair& p);
  // Those pairs of `listed`, or of all if it is null, that may meet.
  void near_pairs(const std::vector<BodyPair>* listed, std::vector<BodyPair>& near);

 private:
  // Balls around large parts of a body in the world.
  struct Parts {
    std::vector<double> x, y, z, radius;

    std::size_t count() const { return radius.size(); }
    Ball ball(std::size_t i) const { return {{x[i], y[i], z[i]}, radius[i]}; }
    void place(const std::vector<PartBall>& parts, const PlacedFrame& frame, double half_reach);
    // Appends those of begin .. end that are not apart from a ball; how many are found then.
    std::size_t near(const Ball& ball, std::size_t begin, std::size_t end, std::uint32_t* found,
                     std::size_t n) const;
  };
  struct PartsOfBody {
    Parts coarse, fine;  // fine ones of a body that stays
    bool placed = false;

    const Parts& finest() const { return fine.count() > 0 ? fine : coarse; }
    std::size_t near(const Ball& ball, std::uint32_t* found) const;
  };

  void measure(std::uint32_t body);
  const Bounds& bounds(std::uint32_t body) {
    if (!bounded_[body]) {
      bounds_[body] = reaching_bounds(bodies_[body], reach_);
      bounded_[body] = true;
    }
    return bounds_[body];
  }
  const PartsOfBody& parts(std::uint32_t body);

  const Asked& asked_;
  const std::optional<double> reach_;
  std::vector<Body> bodies_;
  std::vector<double> radii_;  // of balls around the centres of the trees, in their units
  std::vector<Ball> balls_;
  std::vector<Bounds> bounds_;  // made when first asked for
  std::vector<char> bounded_;
  std::vector<char> moves_;
  std::vector<PartsOfBody> parts_;
};

}  // namespace impinge::bvh
