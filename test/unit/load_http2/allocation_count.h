// Counts the calls of the global operator new in this binary while a Counting exists.
#pragma once

#include <cstdint>

namespace hyperscale::load {

class Counting {
 public:
  Counting();
  ~Counting();
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  static std::uint64_t total();
};

}  // namespace hyperscale::load
