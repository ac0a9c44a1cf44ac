// The payload of a frame between nodes: sender, action, data; compressed, then sealed (ARCH-FRAME-2).
// docs/formats/wire.md has the byte table; frame.h is the envelope.
//
// Functions over a MessageSeal of the form kFrame; its thread rule holds. Failures: kTooLarge beyond a limit of SEC-6,
// kUnauthorized for a payload that does not open, kProtocol otherwise. None reveals anything about a key.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/snowflake.h"
#include "wire/entropy_source.h"
#include "wire/message_seal.h"
#include "wire/node_identity.h"

#include <string>

namespace hyperscale::wire {

struct FrameContent {
  NodeAddress sender;
  std::string action;  // 1 to kMethodNameBytesMax visible ASCII characters
  SharedBytes data;
};

struct OpenedFrame {
  SnowflakeId id;  // for the replay guard
  FrameContent content;
  bool with_previous_key = false;
};

Result<SharedBytes> seal_frame_payload(MessageSeal& seal, const FrameContent& content, SnowflakeId id,
                                       EntropySource& entropy, ByteView bound_to = {});
Result<OpenedFrame> open_frame_payload(MessageSeal& seal, ByteView payload, ByteView bound_to = {});

}  // namespace hyperscale::wire
