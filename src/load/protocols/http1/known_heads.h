// KnownHeads: the last heads that were read, so that one with the same bytes is recognised instead of read again.
// Servers send the same head over and over, but for the second in its Date field.
//
// A head is known when all its bytes are equal, except the value of its Date field, which may be any text of the same
// length without control characters: nobody is told of it, and where the lines end does not change. What such bytes
// mean was worked out once, so it means the same again.
//
// Single-threaded; shared by the sessions of an executor. Bounded: kKnownHeads of kKnownHeadBytesMax; a new one takes
// the place of the oldest. Where heads are always new (a number or a cookie in each), it is asked only now and then.
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
  // `head` is a whole one, with the empty line that ends it; `date` the value of its Date field, inside it or empty.
  // One that is too long is not kept.
  void remember(std::string_view head, std::string_view date, const HeadMeaning& meaning);

 private:
  struct Head {
    std::array<char, kKnownHeadBytesMax> text;
    std::size_t size = 0;  // 0: none
    std::size_t date_at = 0;
    std::size_t date_size = 0;
    HeadMeaning meaning;

    bool matches(std::string_view input) const;
  };

  std::array<Head, kKnownHeads> heads_;
  std::size_t next_ = 0;
  std::uint32_t missed_ = 0;  // since one was found
};

}  // namespace hyperscale::load
