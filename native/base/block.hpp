// Blocks of memory, not initialised. Large ones that are given back are kept for the next of their
// size: to be given fresh pages by the system can take longer than all that is done with them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace impinge {

// Where each block begins: at the start of a cache line.
constexpr std::size_t kBlockAlignment = 64;

void* take_block(std::size_t bytes);
void give_back(void* block) noexcept;  // one that `take_block` has given, or null

struct GiveBack {
  void operator()(void* block) const noexcept { give_back(block); }
};

template <class T>
using Block = std::unique_ptr<T[], GiveBack>;

template <class T>
Block<T> make_block(std::size_t n) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kBlockAlignment);
  return Block<T>(static_cast<T*>(take_block(n * sizeof(T))));
}

}  // namespace impinge
