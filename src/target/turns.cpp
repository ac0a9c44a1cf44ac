#include "target/turns.h"

#include <functional>

namespace hyperscale::target {

std::uint64_t Turns::next(std::string_view target) {
  auto& slot = turns_[std::hash<std::string_view>{}(target) % kSlots];
  return slot.fetch_add(1, std::memory_order_relaxed) + 1;
}

void Turns::restart() {
  for (auto& turn : turns_) turn.store(0, std::memory_order_relaxed);
}

}  // namespace hyperscale::target
