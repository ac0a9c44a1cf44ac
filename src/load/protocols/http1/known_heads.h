// KnownHeads: a cache of parsed heads, so that one with the same bytes is recognised instead of parsed again. Servers
// send the same head over and over, except for the second in its Date field.
//
// A head is known when all its bytes are equal, except the value of its Date field, which may be any text of the same
// length without control characters: it is not reported, and the ends of lines do not change. Equal bytes have equal
// meaning, so the stored result is reused.
//
// Single-threaded; shared by the sessions of an executor. Bounded: kKnownHeads of kKnownHeadBytesMax; a new head
// replaces the oldest. When heads are always new (a number or a cookie in each), most lookups are skipped.
#pragma once

#include "load/protocols/http1/framing_fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::load {

inline constexpr std::size_t kKnownHeads = 4;
inline constexpr std::size_t kKnownHeadBytesMax = 512;

struct HeadMeaning {
  FramingFields framing;
  std::uint16_t status = 0;
  std::uint8_t minor_version = 0;
};

class KnownHeads {
 public:
  struct Found {
    const HeadMeaning* meaning = nullptr;  // null: not known
    std::size_t size_bytes = 0;
  };

  // The head at the front of `input`.
  Found find(std::string_view input);
  // `head` is complete, with the empty line that ends it; `date` is the value of its Date field, inside it or empty.
  // A head that is too long is not kept.
  void remember(std::string_view head, std::string_view date, const HeadMeaning& meaning);

 private:
  struct Head {
    std::array<char, kKnownHeadBytesMax> text;
    std::size_t size = 0;  // 0: unused
    std::size_t date_at = 0;
    std::size_t date_size = 0;
    HeadMeaning meaning;

    bool matches(std::string_view input) const;
  };

  std::array<Head, kKnownHeads> heads_;
  std::size_t next_ = 0;
  std::uint32_t missed_ = 0;  // misses since the last hit
};

}  // namespace hyperscale::load
