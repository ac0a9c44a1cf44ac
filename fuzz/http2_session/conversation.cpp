#include "conversation.h"

#include "base/prng.h"
#include "load/protocols/http2/frame.h"
#include "load/protocols/http2/http2_session.h"

#include <algorithm>

namespace hyperscale::load::fuzz {
namespace {

using http2::FrameHead;
using http2::FrameType;

constexpr std::size_t kShortFormBytes = 4;
constexpr std::size_t kSettingBytes = 6;

std::vector<std::size_t> cuts_of(std::uint8_t seed, std::size_t size) {
  std::vector<std::size_t> cuts;
  if (seed == 0) return cuts;
  Prng prng(seed);
  for (std::size_t at = 0; at < size; at += 1 + prng.below(1 + seed % 40)) cuts.push_back(at);
  return cuts;
}

std::string frames_of(ByteView input) {
  http2::FrameBytes out;
  while (input.size() >= kShortFormBytes) {
    // Neighbours of the streams that are open, their even ones, and one far away.
    constexpr std::array<std::uint32_t, 16> kStreams{1, 3, 5, 7, 1, 3, 5, 7, 0, 0, 0, 1, 9, 2, 4, 0x7fffffff};
    const std::size_t length = std::min<std::size_t>(input[3], input.size() - kShortFormBytes);
    http2::append_frame_head(out, {.length = static_cast<std::uint32_t>(length),
                                   .type = static_cast<FrameType>(input[0] % 12),
                                   .flags = input[1],
                                   .stream_id = kStreams[input[2] % kStreams.size()]});
    out.insert(out.end(), input.begin() + kShortFormBytes,
               input.begin() + static_cast<std::ptrdiff_t>(kShortFormBytes + length));
    input = input.subspan(kShortFormBytes + length);
  }
  return {out.begin(), out.end()};
}

bool differs_on_purpose(const FrameHead& head, ByteView payload) {
  switch (head.type) {
    case FrameType::kPushPromise:
      // It was forbidden and is an error from the first moment on (section 8.4); nghttp2 waits for the server's ACK.
      return true;
    case FrameType::kPriority:
      // Priorities are a thing of the past (section 5.3.2) and not looked into; nghttp2 ends the connection when a
      // stream depends on itself.
      return payload.size() == 5;
    case FrameType::kWindowUpdate:
      // By 0 on a stream is an error of the stream (section 6.9); nghttp2 ends the connection.
      return head.stream_id != 0 && payload.size() == 4 && http2::read_u31(payload.data()) == 0;
    case FrameType::kSettings:
      for (; payload.size() >= kSettingBytes; payload = payload.subspan(kSettingBytes)) {
        const std::uint16_t id = http2::read_u16(payload.data());
        // RFC 8441 and RFC 9218: extensions that this client does not know; nghttp2 has rules for their values.
        if (id == 8 || id == 9) return true;
        // A window that grows too large by it is an error of the connection (section 6.9.2); nghttp2 resets the stream.
        if (id == 4 && http2::read_u32(payload.data() + 2) > INT32_MAX / 2) return true;
        // Values are processed in their order (section 6.5.3); of one that comes twice nghttp2 sees the last.
        for (ByteView later = payload.subspan(kSettingBytes); later.size() >= kSettingBytes;
             later = later.subspan(kSettingBytes)) {
          if (http2::read_u16(later.data()) == id) return true;
        }
      }
      return false;
    default:
      return false;
  }
}

}  // namespace

Said said_of(ByteView input) {
  Said said;
  const ByteView rest = input.subspan(kControlBytes);
  if ((input[1] & 1) != 0) {
    said.bytes.assign(rest.begin(), rest.end());
  } else {
    http2::FrameBytes greeting;
    if ((input[1] & 2) == 0) http2::append_frame_head(greeting, {.type = FrameType::kSettings});
    said.bytes.assign(greeting.begin(), greeting.end());
    said.bytes += frames_of(rest);
  }
  said.cuts = cuts_of(input[0], said.bytes.size());
  return said;
}

// A frame or a header block that is cut by the end is left out too: nghttp2 judges what there is of it, this client
// waits for the rest.
Said without_known_differences(const Said& said) {
  Said kept;
  std::size_t whole = 0;  // bytes before a header block that has not ended
  std::uint32_t empty_frames = 0;
  ByteView rest = as_bytes(said.bytes);
  while (rest.size() >= http2::kFrameHeadBytes) {
    const FrameHead head = http2::read_frame_head(rest.data());
    const bool too_large = head.length > http2::kFrameBytesMax;
    if (!too_large && rest.size() - http2::kFrameHeadBytes < head.length) break;
    const std::size_t size = too_large ? rest.size() : http2::kFrameHeadBytes + head.length;
    const ByteView frame = rest.first(size);
    rest = rest.subspan(size);
    if (differs_on_purpose(head, frame.subspan(http2::kFrameHeadBytes))) continue;
    // A flood of frames without content ends the connection (section 10.5); nghttp2 reads on.
    const bool may_be_empty = head.type == FrameType::kData || head.type == FrameType::kContinuation;
    if (may_be_empty && head.length == 0 && ++empty_frames > kHttp2EmptyFramesMax) break;
    kept.bytes.append(frame.begin(), frame.end());
    const bool of_block = head.type == FrameType::kHeaders || head.type == FrameType::kContinuation;
    if (!of_block || head.has(http2::kFlagEndHeaders)) whole = kept.bytes.size();
  }
  kept.bytes.resize(whole);
  for (const std::size_t cut : said.cuts)
    if (cut < kept.bytes.size()) kept.cuts.push_back(cut);
  return kept;
}

}  // namespace hyperscale::load::fuzz
