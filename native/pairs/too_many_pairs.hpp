// The end of a query that finds more pairs than were allowed.
#pragma once

#include <stdexcept>

namespace impinge {

struct TooManyPairs : std::runtime_error {
  TooManyPairs() : std::runtime_error("more pairs than max_pairs") {}
};

}  // namespace impinge
