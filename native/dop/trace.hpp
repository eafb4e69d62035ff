// Which nodes a traversal meets, in order: for tests and for models of hardware.
#pragma once

#include <cstdint>
#include <vector>

#include "dop/job.hpp"

namespace impinge::dop {

enum class Order { siblings, single, classic };

struct Trace {
  struct Meeting {
    std::uint32_t aligned, tumbled;
    bool overlap;  // two leaves always count as overlapping
  };
  std::vector<Meeting> meetings;
  std::vector<std::uint32_t> transforms;  // tumbled nodes
};

Trace trace(const Job& job, Order order);

}  // namespace impinge::dop
