// FrameClient: a blocking loopback peer of the framed transport, with a generous bound on every wait.
#pragma once

#include "wire/frame.h"
#include "wire/frame_decoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

class FrameClient {
 public:
  // A small receive buffer makes the peer's writes block early.
  explicit FrameClient(std::uint16_t port, int receive_buffer_bytes = 0);
  ~FrameClient();
  FrameClient(const FrameClient&) = delete;
  FrameClient& operator=(const FrameClient&) = delete;

  bool connected() const { return fd_ >= 0; }
  bool send_raw(ByteView bytes);
  bool send(const wire::Frame& frame) { return send_raw(wire::encode_frame(frame)); }
  bool request(std::uint64_t correlation, std::string_view method, std::string_view body);
  // Nothing at the end of the stream, after a reset, or when the bound has passed; see ended_by_reset().
  std::optional<wire::Frame> receive();
  bool at_end() { return !receive().has_value(); }
  bool ended_by_reset() const { return reset_; }
  void shutdown_write();
  // Closes with RST instead of FIN.
  void reset();
  void close();

 private:
  int fd_ = -1;
  bool reset_ = false;
  wire::FrameDecoder decoder_{wire::FrameLimits{wire::kMaxFrameBytesCeiling}};
  std::vector<std::uint8_t> chunk_;
};

}  // namespace hyperscale::runtime
