// Many threads ask the kernels at once, before and after refits, and compare what they hear.
//
//     stress [rounds]
#include "stress.hpp"

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2;
  stress::trees(rounds);
#ifndef IMPINGE_TREES_ONLY
  stress::candidates(rounds);
  stress::solids(rounds);
#endif
  std::printf("%d rounds, all answers agree\n", rounds);
}
