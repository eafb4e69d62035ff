// When it pays to prepare something for the queries to come.
#pragma once

#include <atomic>
#include <cstddef>

namespace impinge::bvh {

// Counts the queries of one tree.
class Investment {
 public:
  // How many queries go without, before it is made.
  struct Limits {
    std::size_t slabs = 1;   // most trees are asked about once, or many times
    std::size_t sheets = 7;  // finding the rims takes as long as they save in some ten queries
  };
  static Limits& limits() {
    static Limits of_all_trees;
    return of_all_trees;
  }

  // Whether slabs pay, with so many more queries against other trees.
  bool slabs_pay(std::size_t queries) { return (pair_queries_ += queries) > limits().slabs; }
  // Whether sheets pay, with one more query of the tree against itself.
  bool sheets_pay() { return ++self_queries_ > limits().sheets; }

  void forget_pairs() { pair_queries_ = 0; }
  void forget_self() { self_queries_ = 0; }

 private:
  std::atomic<std::size_t> pair_queries_{0}, self_queries_{0};
};

}  // namespace impinge::bvh
