#include "load/protocols/http1/known_heads.h"

#include "base/check.h"
#include "load/protocols/http1/line_scan.h"

#include <cstring>

namespace hyperscale::load {
namespace {

// After kMissesMax misses in a row only two of every kAskEvery heads are looked up.
constexpr std::uint32_t kMissesMax = 64;
constexpr std::uint32_t kAskEvery = 32;

bool is_asked(std::uint32_t missed) {
  return missed < kMissesMax || missed % kAskEvery < 2;  // two in a row: the first is remembered, the second found
}

}  // namespace

bool KnownHeads::Head::matches(std::string_view input) const {
  if (size == 0 || input.size() < size || std::memcmp(input.data(), text.data(), date_at) != 0) return false;
  const std::size_t rest = date_at + date_size;
  if (std::memcmp(input.data() + rest, text.data() + rest, size - rest) != 0) return false;
  return !has_control(input.data() + date_at, input.data() + rest);
}

KnownHeads::Found KnownHeads::find(std::string_view input) {
  if (is_asked(missed_)) {
    for (const Head& head : heads_) {
      if (!head.matches(input)) continue;
      missed_ = 0;
      return {&head.meaning, head.size};
    }
  }
  ++missed_;
  return {};
}

void KnownHeads::remember(std::string_view head, std::string_view date, const HeadMeaning& meaning) {
  if (head.size() > kKnownHeadBytesMax || !is_asked(missed_)) return;
  Head& kept = heads_[next_];
  next_ = (next_ + 1) % kKnownHeads;
  head.copy(kept.text.data(), head.size());
  kept.size = head.size();
  kept.date_at = date.empty() ? head.size() : static_cast<std::size_t>(date.data() - head.data());
  kept.date_size = date.size();
  CHECK(kept.date_at + kept.date_size <= kept.size, "a date outside of its head");
  kept.meaning = meaning;
}

}  // namespace hyperscale::load
