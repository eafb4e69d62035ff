// The rule that every detector ends in: which meetings of two triangles count, and which gaps.
#pragma once

#include <cstddef>
#include <limits>

#include "geometry/triangles.hpp"
#include "geometry/within.hpp"
#include "pairs/too_many_pairs.hpp"

namespace impinge {

struct Rule {
  bool touching = true;            // pairs that only touch count
  bool report_duplicates = false;  // and faces of one body with the same three vertices
  bool first = false;              // one pair of two bodies, or of a pose, is enough
  double margin = 0;               // so far apart, or less, counts too
  std::size_t most = std::numeric_limits<std::size_t>::max();  // pairs; more end the query
};

inline void check_most(std::size_t pairs, const Rule& rule) {
  if (pairs > rule.most) throw TooManyPairs();
}

inline bool counts(Kind kind, const Rule& rule) {
  return kind == Kind::crossing || (kind != Kind::none && rule.touching);
}

// The exact verdict; none for what does not count. Faces of one body with a common vertex are
// always near, and count only where they meet. `is_within` says whether two triangles that do not
// meet are within the margin; asked only when there is one.
template <class Within>
Kind decide(const Triangle& a, const Triangle& b, bool same_body, const Rule& rule,
            const Within& is_within) {
  const Kind kind = same_body ? classify_self(a, b, rule.report_duplicates) : classify(a, b);
  if (counts(kind, rule)) return kind;
  if (kind != Kind::none || !(rule.margin > 0)) return Kind::none;
  if (same_body && share_vertex(a, b)) return Kind::none;
  return is_within(a, b, rule.margin) ? Kind::near : Kind::none;
}

inline Kind decide(const Triangle& a, const Triangle& b, bool same_body, const Rule& rule) {
  return decide(a, b, same_body, rule, within);
}

}  // namespace impinge
