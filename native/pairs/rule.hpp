// The rule that every detector ends in: which meetings of two triangles count.
#pragma once

#include "geometry/triangles.hpp"

namespace impinge {

struct Rule {
  bool touching = true;            // pairs that only touch count
  bool report_duplicates = false;  // and faces of one body with the same three vertices
  bool first = false;              // one pair of two bodies, or of a pose, is enough
};

inline bool counts(Kind kind, const Rule& rule) {
  return kind == Kind::crossing || (kind != Kind::none && rule.touching);
}

// The exact verdict; none for what does not count.
inline Kind decide(const Triangle& a, const Triangle& b, bool same_body, const Rule& rule) {
  const Kind kind = same_body ? classify_self(a, b, rule.report_duplicates) : classify(a, b);
  return counts(kind, rule) ? kind : Kind::none;
}

}  // namespace impinge
