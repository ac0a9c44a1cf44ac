#include "wire/cluster_frame.h"

#include "base/endian.h"
#include "wire/compression.h"
#include "wire/limits.h"
#include "wire/request_payload.h"
#include "wire/sealed_datagram.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kPortAt = 16;
constexpr std::size_t kAddressBytes = std::tuple_size_v<AddressBytes>;

Error to_error(OpenRefusal refusal) {
  switch (refusal) {
    case OpenRefusal::kMalformed:
      return {.code = ErrorCode::kProtocol, .context = "not a sealed payload"};
    case OpenRefusal::kUnknownKey:
      return {.code = ErrorCode::kUnauthorized, .context = "sealed for another cluster, environment or secret"};
    case OpenRefusal::kForged:
      break;
  }
  return {.code = ErrorCode::kUnauthorized, .context = "the payload is not authentic"};
}

}  // namespace

Result<SharedBytes> seal_frame_payload(MessageSeal& seal, const FrameContent& content, SnowflakeId id,
                                       EntropySource& entropy, ByteView bound_to) {
  if (content.data.size() > kDecompressedBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("data of {} bytes, at most {}", content.data.size(), kDecompressedBytesMax));
  }
  const Result<SharedBytes> request = encode_request(content.action, content.data.view());
  if (!request) return fail(request.error());
  const AddressBytes sender = address_bytes(content.sender);
  std::vector<std::uint8_t> plain(sender.begin(), sender.end());
  plain.insert(plain.end(), request->view().begin(), request->view().end());
  const Result<std::vector<std::uint8_t>> packed = compress(plain);
  if (!packed) return fail(packed.error());
  return seal.seal(*packed, id, entropy, bound_to);
}

Result<OpenedFrame> open_frame_payload(MessageSeal& seal, ByteView payload, ByteView bound_to) {
  if (payload.size() > kSealedFrameBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a sealed payload of {} bytes, at most {}", payload.size(), kSealedFrameBytesMax));
  }
  const OpenResult opened = seal.open(payload, bound_to);
  if (!opened) return fail(to_error(opened.error()));
  const Result<SharedBytes> plain = decompress(opened->plain.view());
  if (!plain) return fail(plain.error());
  if (plain->size() < kAddressBytes) return fail(ErrorCode::kProtocol, "a payload without a sender");
  Result<RequestPayload> request = parse_request(plain->slice(kAddressBytes, plain->size() - kAddressBytes));
  if (!request) return fail(request.error());
  OpenedFrame frame{.id = opened->id,
                    .content = {.sender = {}, .action = std::string(request->method_name()), .data = request->body},
                    .with_previous_key = opened->with_previous_key};
  std::copy_n(plain->data(), frame.content.sender.ip.size(), frame.content.sender.ip.begin());
  frame.content.sender.port = load_be16(plain->data() + kPortAt);
  return frame;
}

}  // namespace hyperscale::wire
