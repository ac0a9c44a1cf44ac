// Unsigned LEB128 varints: 7 bits a byte, low bits first, the top bit means that more follow.
//
// Each number has one form only: the reader rejects a last byte of zero and anything beyond 64 bits. Plain values, no
// locking. A reader never reads past its view, and a failure is final.
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale {

inline void append_varint(std::vector<std::uint8_t>& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80));
  to.push_back(static_cast<std::uint8_t>(value));
}

class VarintReader {
 public:
  explicit VarintReader(ByteView bytes) : left_(bytes) {}

  bool at_end() const { return left_.empty() && !failed_; }
  bool failed() const { return failed_; }

  // Nothing when the bytes end too early or are not the one form of a 64-bit number.
  std::optional<std::uint64_t> next() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < left_.size() && i < kBytesMax && !failed_; ++i) {
      const std::uint8_t byte = left_[i];
      if (i == kBytesMax - 1 && byte > 1) break;
      value |= std::uint64_t{byte & 0x7fU} << 7 * i;
      if ((byte & 0x80) != 0) continue;
      if (byte == 0 && i > 0) break;
      left_ = left_.subspan(i + 1);
      return value;
    }
    failed_ = true;
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kBytesMax = 10;

  ByteView left_;
  bool failed_ = false;
};

}  // namespace hyperscale
