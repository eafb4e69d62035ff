#include "dop/job.hpp"

#include <algorithm>

#include "geometry/weld.hpp"

namespace impinge::dop {

Triangle Body::local(std::uint32_t face) const {
  Triangle t;
  const std::int32_t* corners = tree->face(face);
  for (int c = 0; c < 3; ++c) std::copy_n(tree->vertex(corners[c]), 3, t.v[c]);
  return t;
}

Triangle Body::world(std::uint32_t face) const {
  Triangle t = local(face);
  if (pose.identity) return t;
  for (auto& v : t.v) {
    const double p[3] = {v[0], v[1], v[2]};
    transform_point(&pose.m[0][0], p, v);
  }
  return t;
}

void Counters::add(const Counters& o) {
  node_pairs += o.node_pairs;
  transforms += o.transforms;
  lists += o.lists;
  list_pairs += o.list_pairs;
  leaf_dops += o.leaf_dops;
  leaf_pairs += o.leaf_pairs;
  candidates += o.candidates;
  undecided += o.undecided;
}

}  // namespace impinge::dop
