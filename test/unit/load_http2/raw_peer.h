// RawPeer: an Http2Session opposite a server that is nothing but bytes, so that it can say what no library would say. A
// list of the frames that the client sent, and builders of frames for the server.
#pragma once

#include "load/protocols/http2/frame.h"
#include "load/protocols/http2/frame_reader.h"
#include "session_pair.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load {

using http2::FrameType;

inline std::string raw_frame(FrameType type, std::uint8_t flags, std::uint32_t stream_id, std::string_view payload) {
  http2::FrameBytes bytes;
  http2::append_frame_head(
      bytes,
      {.length = static_cast<std::uint32_t>(payload.size()), .type = type, .flags = flags, .stream_id = stream_id});
  return std::string(bytes.begin(), bytes.end()).append(payload);
}

inline std::string u32_text(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

inline std::string setting_text(std::uint16_t id, std::uint32_t value) {
  return std::string{static_cast<char>(id >> 8), static_cast<char>(id)} + u32_text(value);
}

inline std::string settings_frame(std::string_view entries = {}) {
  return raw_frame(FrameType::kSettings, 0, 0, entries);
}

// A field as a literal that stays out of the table. REQUIRES: texts below 127 bytes.
inline std::string literal(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + static_cast<char>(name.size()) + std::string(name) + static_cast<char>(value.size()) +
         std::string(value);
}

inline const std::string kStatus200 = "\x88";

inline std::string head_frame(std::uint32_t stream_id, std::string_view block,
                              std::uint8_t flags = http2::kFlagEndHeaders) {
  return raw_frame(FrameType::kHeaders, flags, stream_id, block);
}

inline std::string last_head_frame(std::uint32_t stream_id, std::string_view block) {
  return head_frame(stream_id, block, http2::kFlagEndHeaders | http2::kFlagEndStream);
}

inline std::string data_frame(std::uint32_t stream_id, std::string_view body, std::uint8_t flags = 0) {
  return raw_frame(FrameType::kData, flags, stream_id, body);
}

inline std::string last_data_frame(std::uint32_t stream_id, std::string_view body) {
  return data_frame(stream_id, body, http2::kFlagEndStream);
}

struct SentFrame {
  http2::FrameHead head;
  std::string payload;
};

class RawPeer {
 public:
  // Sends that many requests and, unless told otherwise, says SETTINGS.
  explicit RawPeer(std::uint32_t requests = 1, const PreparedRequest& request = make_request(), bool greet = true)
      : request_(request), session(transport, record, memory, {.streams_max = 100}) {
    for (std::uint32_t slot = 0; slot < requests; ++slot) session.send_request(slot, request_);
    session.flush();
    if (greet) say(settings_frame());
  }

  void say(std::string_view bytes) { session.on_bytes(as_bytes(bytes)); }
  void say_bytewise(std::string_view bytes) {
    for (const char& byte : bytes) session.on_bytes(as_bytes({&byte, 1}));
  }

  // Everything that the client has sent, behind the preface.
  std::vector<SentFrame> sent() const {
    const std::string all(transport.out.begin(), transport.out.end());
    EXPECT_TRUE(all.starts_with(http2::kPreface));
    std::vector<SentFrame> frames;
    ByteView rest = as_bytes(all).subspan(http2::kPreface.size());
    while (rest.size() >= http2::kFrameHeadBytes) {
      const auto head = http2::read_frame_head(rest.data());
      const ByteView payload = rest.subspan(http2::kFrameHeadBytes, head.length);
      frames.push_back({head, std::string(payload.begin(), payload.end())});
      rest = rest.subspan(http2::kFrameHeadBytes + head.length);
    }
    EXPECT_TRUE(rest.empty());
    return frames;
  }
  std::vector<SentFrame> sent(FrameType type) const {
    auto frames = sent();
    std::erase_if(frames, [type](const SentFrame& frame) { return frame.head.type != type; });
    return frames;
  }
  // The error code of the client's GOAWAY; of its last RST_STREAM. UINT32_MAX: none.
  std::uint32_t goaway_code() const { return code_of(FrameType::kGoAway, 4); }
  std::uint32_t reset_code() const { return code_of(FrameType::kRstStream, 0); }

 private:
  std::uint32_t code_of(FrameType type, std::size_t offset) const {
    const auto frames = sent(type);
    if (frames.empty()) return UINT32_MAX;
    return http2::read_u32(reinterpret_cast<const std::uint8_t*>(frames.back().payload.data()) + offset);
  }
  const PreparedRequest request_;

 public:
  FreeListMemory memory;
  QueueTransport transport;
  SessionRecord record;
  Http2Session session;
};

}  // namespace hyperscale::load
