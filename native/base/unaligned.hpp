// Eight integers from anywhere.
#pragma once

#include <cstdint>

#include "base/lanes.hpp"

namespace impinge {

inline Int8 unaligned(const std::int32_t* p) {
#if defined(__AVX2__)
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
#else
  return Int8::load(p);
#endif
}

}  // namespace impinge
