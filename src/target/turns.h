// Turns: numbers the requests of a target, so that "every 10th" is exact over all connections and cores.
//
// Thread-safe. Targets share kSlots counters by their hash: two targets with the same slot are numbered together.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace hyperscale::target {

class Turns {
 public:
  // 1 for the first request of the target, then 2, 3, ...
  std::uint64_t next(std::string_view target);
  void restart();

 private:
  static constexpr std::size_t kSlots = 1024;
  std::array<std::atomic<std::uint64_t>, kSlots> turns_{};
};

// Spreads `percent` of all turns evenly: with 10 it is every 10th, with 25 every 4th.
constexpr bool is_chosen_turn(std::uint64_t turn, std::uint64_t percent) {
  return turn * percent / 100 > (turn - 1) * percent / 100;
}

}  // namespace hyperscale::target
