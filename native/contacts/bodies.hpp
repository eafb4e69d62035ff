// What every query of contacts does first with its bodies.
#pragma once

#include <chrono>
#include <vector>

#include "contacts/shell.hpp"

namespace impinge {

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The boxes of all bodies; inside out for those without faces.
std::vector<Bounds> measure(const std::vector<const Shell*>& bodies, int workers);

// The diagonal of the box of them all.
double diagonal_of(const std::vector<Bounds>& bounds);

// The structures of those bodies that are involved, side by side when there are enough of them.
void prepare(const std::vector<const Shell*>& bodies, const std::vector<bool>& involved,
             Along along, int workers);

}  // namespace impinge
