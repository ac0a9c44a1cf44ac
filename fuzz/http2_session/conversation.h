// What a server says on one HTTP/2 connection, made of fuzzer input, and what became of the client's requests.
//
// Input: byte 0 seeds the cuts into reads (0: one read; every 40th value: byte by byte). Bit 0 of byte 1: the rest is
// what is said, byte for byte. Otherwise it is a list of frames in short form, behind SETTINGS unless bit 1 is set: a
// type, flags, a stream and a length of one byte each, then the payload. Frames in short form are well framed, so that
// the fuzzer spends its time behind the framing.
#pragma once

#include "base/bytes.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load::fuzz {

inline constexpr std::size_t kControlBytes = 2;

// The requests of every conversation, on streams 1, 3, 5 and 7. The second is a HEAD, the third has a body.
inline constexpr std::size_t kRequests = 4;

// One that breaks the connection by its size is left whole, and so is a cut end.
struct Said {
  std::string bytes;
  std::vector<std::size_t> cuts;  // where reads end
};

Said said_of(ByteView input);

// Without frames that client libraries treat differently on purpose; why, is said at each of them.
Said without_known_differences(const Said& said);

enum class Fate : std::uint8_t { kOpen, kComplete, kFailed, kUnprocessed };

struct ExchangeReading {
  Fate fate = Fate::kOpen;
  int status = 0;
  std::string body{};
  bool operator==(const ExchangeReading&) const = default;
};

struct Reading {
  std::array<ExchangeReading, kRequests> exchanges;
  bool over = false;  // the connection is of no further use
  std::string problem{};
};

Reading read_with_nghttp2(const Said& said);

// This client and nghttp2's agree which requests are complete, with which status and body, which have failed or may be
// sent again, and whether the connection lives; each request ends once. What differs on purpose is left out of the
// comparison and listed in conversation.cpp, but read all the same. A violation fails a CHECK.
void check_conversation(ByteView input);

}  // namespace hyperscale::load::fuzz
