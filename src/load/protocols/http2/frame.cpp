#include "load/protocols/http2/frame.h"

#include <array>

namespace hyperscale::load::http2 {
namespace {

constexpr std::size_t kSettingBytes = 6;

void append_u32(FrameBytes& out, std::uint32_t value) {
  const std::array<std::uint8_t, 4> bytes{static_cast<std::uint8_t>(value >> 24),
                                          static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
                                          static_cast<std::uint8_t>(value)};
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_setting(FrameBytes& out, Setting setting, std::uint32_t value) {
  const auto id = static_cast<std::uint16_t>(setting);
  out.push_back(static_cast<std::uint8_t>(id >> 8));
  out.push_back(static_cast<std::uint8_t>(id));
  append_u32(out, value);
}

void append_text(FrameBytes& out, std::string_view text) {
  out.insert(out.end(), text.begin(), text.end());
}

}  // namespace

std::string_view error_name(std::uint32_t code) {
  constexpr std::array<std::string_view, 14> kNames{"NO_ERROR",
                                                    "PROTOCOL_ERROR",
                                                    "INTERNAL_ERROR",
                                                    "FLOW_CONTROL_ERROR",
                                                    "SETTINGS_TIMEOUT",
                                                    "STREAM_CLOSED",
                                                    "FRAME_SIZE_ERROR",
                                                    "REFUSED_STREAM",
                                                    "CANCEL",
                                                    "COMPRESSION_ERROR",
                                                    "CONNECT_ERROR",
                                                    "ENHANCE_YOUR_CALM",
                                                    "INADEQUATE_SECURITY",
                                                    "HTTP_1_1_REQUIRED"};
  return code < kNames.size() ? kNames[code] : "unknown";
}

void append_frame_head(FrameBytes& out, const FrameHead& head) {
  const std::array<std::uint8_t, kFrameHeadBytes> bytes{static_cast<std::uint8_t>(head.length >> 16),
                                                        static_cast<std::uint8_t>(head.length >> 8),
                                                        static_cast<std::uint8_t>(head.length),
                                                        static_cast<std::uint8_t>(head.type),
                                                        head.flags,
                                                        static_cast<std::uint8_t>(head.stream_id >> 24),
                                                        static_cast<std::uint8_t>(head.stream_id >> 16),
                                                        static_cast<std::uint8_t>(head.stream_id >> 8),
                                                        static_cast<std::uint8_t>(head.stream_id)};
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_rst_stream(FrameBytes& out, std::uint32_t stream_id, ErrorCode code) {
  append_frame_head(out, {.length = 4, .type = FrameType::kRstStream, .stream_id = stream_id});
  append_u32(out, static_cast<std::uint32_t>(code));
}

void append_window_update(FrameBytes& out, std::uint32_t stream_id, std::uint32_t increment) {
  append_frame_head(out, {.length = 4, .type = FrameType::kWindowUpdate, .stream_id = stream_id});
  append_u32(out, increment);
}

void append_settings_ack(FrameBytes& out) {
  append_frame_head(out, {.type = FrameType::kSettings, .flags = kFlagAck});
}

void append_ping_ack(FrameBytes& out, ByteView opaque) {
  const auto length = static_cast<std::uint32_t>(opaque.size());
  append_frame_head(out, {.length = length, .type = FrameType::kPing, .flags = kFlagAck});
  out.insert(out.end(), opaque.begin(), opaque.end());
}

void append_goaway(FrameBytes& out, ErrorCode code, std::string_view text) {
  append_frame_head(out, {.length = static_cast<std::uint32_t>(8 + text.size()), .type = FrameType::kGoAway});
  append_u32(out, 0);  // no stream of the server was processed: it may not open any
  append_u32(out, static_cast<std::uint32_t>(code));
  append_text(out, text);
}

void append_client_preface(FrameBytes& out, std::uint32_t window) {
  append_text(out, kPreface);
  append_frame_head(out, {.length = 2 * kSettingBytes, .type = FrameType::kSettings});
  append_setting(out, Setting::kEnablePush, 0);
  append_setting(out, Setting::kInitialWindowSize, window);
  append_window_update(out, 0, window - kFirstWindow);
}

}  // namespace hyperscale::load::http2
