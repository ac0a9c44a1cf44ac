// NonceAudit: detects two sealed messages that share key and nonce, which would reveal their contents (SEC-1). For
// checkers: pass each message once, where it is sealed; a duplicate by the network is not a second message.
//
// Thread rule: one thread at a time. Remembers the last `remembered_max` messages.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "wire/limits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>

namespace hyperscale::wire {

// Key id, salt and nonce: together they determine the key stream.
using KeyStreamId = std::array<std::uint8_t, kSealHeaderBytes - 1>;

// Nothing when the bytes are too short for a sealed message.
inline std::optional<KeyStreamId> key_stream_of(ByteView sealed) {
  if (sealed.size() < kSealOverheadBytes) return std::nullopt;
  KeyStreamId id;
  std::copy_n(sealed.begin() + 1, id.size(), id.begin());
  return id;
}

class NonceAudit {
 public:
  explicit NonceAudit(std::size_t remembered_max = 100'000) : remembered_max_(remembered_max) {
    CHECK(remembered_max > 0);
  }

  // False when an earlier message had the same key and nonce.
  bool is_new(ByteView sealed) {
    const auto id = key_stream_of(sealed);
    if (!id) return true;
    if (!seen_.insert(*id).second) return false;
    order_.push_back(*id);
    if (order_.size() > remembered_max_) {
      seen_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

 private:
  std::size_t remembered_max_;
  std::set<KeyStreamId> seen_;
  std::deque<KeyStreamId> order_;
};

}  // namespace hyperscale::wire
