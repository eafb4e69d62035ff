// Changes of the core that are compiled in, and asked for by number: IMPINGE_MUTANT in the
// environment has it when the core is loaded. `a < b` is written `a < Less<7>{} < b` where change 7
// makes it `a <= b`: operators bind as they did.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <utility>

// Can be set from outside, too.
extern "C" {
__attribute__((visibility("default"))) inline int impinge_mutant = 0;
}

namespace impinge_mutate {

struct FromEnvironment {
  FromEnvironment() {
    if (const char* text = std::getenv("IMPINGE_MUTANT")) impinge_mutant = std::atoi(text);
  }
};
// before whatever else is made when the core is loaded
__attribute__((init_priority(101))) inline const FromEnvironment from_environment;

inline bool on(int number) { return impinge_mutant == number; }

template <int number, class T>
inline T pick(T before, T after) {
  return on(number) ? after : before;
}

#define IMPINGE_OPERATOR(Name, BEFORE, AFTER)                                       \
  template <int number>                                                             \
  struct Name {};                                                                   \
  template <class A, int number>                                                    \
  struct Name##Left {                                                               \
    A&& a;                                                                          \
  };                                                                                \
  template <class A, int number>                                                    \
  inline Name##Left<A, number> operator BEFORE(A&& a, Name<number>) {               \
    return {std::forward<A>(a)};                                                    \
  }                                                                                 \
  template <class A, class B, int number>                                           \
  inline auto operator BEFORE(Name##Left<A, number> left, B&& b)                    \
      ->std::decay_t<decltype(std::forward<A>(left.a) BEFORE std::forward<B>(b))> { \
    if (on(number)) return std::forward<A>(left.a) AFTER std::forward<B>(b);        \
    return std::forward<A>(left.a) BEFORE std::forward<B>(b);                       \
  }
IMPINGE_OPERATOR(Less, <, <=)
IMPINGE_OPERATOR(LessEqual, <=, <)
IMPINGE_OPERATOR(Greater, >, >=)
IMPINGE_OPERATOR(GreaterEqual, >=, >)
IMPINGE_OPERATOR(Equal, ==, !=)
IMPINGE_OPERATOR(NotEqual, !=, ==)
IMPINGE_OPERATOR(Plus, +, -)
IMPINGE_OPERATOR(Minus, -, +)
IMPINGE_OPERATOR(And, &, |)
IMPINGE_OPERATOR(Or, |, &)
#undef IMPINGE_OPERATOR

}  // namespace impinge_mutate
