// What all programs share: arrays from Python, and answers that Python copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using Face = std::array<std::int32_t, 3>;
using Pair = std::array<std::int32_t, 2>;

// Vertices and faces that belong to Python and outlive the question.
struct Surface {
  const double* vertices;
  std::int64_t vertex_count;
  const Face* faces;
  std::int64_t face_count;
};

// Something prepared that can be asked again and again.
struct Question {
  std::vector<Pair> pairs;
  virtual ~Question() = default;
};

// Not inline, or they would not be exported: a program is one file.
extern "C" {
const Pair* question_pairs(const Question* question) { return question->pairs.data(); }
void question_free(Question* question) { delete question; }
}
