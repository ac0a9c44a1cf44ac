// What must hold for every input of the readers of cluster bytes. A violation fails a CHECK, so the fuzzers and the
// unit tests share it.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "wire/cluster_codec.h"
#include "wire/compression.h"
#include "wire/heartbeat.h"
#include "wire/sealed_datagram.h"
#include "wire/seeded_entropy.h"
#include "wire/state_sync.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hyperscale::wire::fuzz {

// What is accepted can be written again, is no longer than what was read, reads the same, and its size was foreseen.
inline void check_cluster_codec(ByteView input) {
  Result<ClusterMessage> message = decode_cluster(input);
  if (!message) {
    CHECK(!message.error().context.empty());
    return;
  }
  CHECK(check_cluster_message(*message).has_value());
  const std::vector<std::uint8_t> bytes = encode_cluster(*message);
  CHECK(bytes.size() <= input.size(), "{} bytes became {}", input.size(), bytes.size());
  CHECK(bytes.size() <= encoded_size_bound(*message));
  const Result<ClusterMessage> again = decode_cluster(bytes);
  CHECK(again.has_value() && again->body == message->body && again->gossip == message->gossip);
  CHECK(again->sender == message->sender && again->coordinate == message->coordinate);
  CHECK(encode_cluster(*again) == bytes);
  fit_datagram(*message);
  CHECK(encode_cluster(*message).size() <= bytes.size());
}

inline void check_heartbeat(ByteView input) {
  const Result<Heartbeat> heartbeat = decode_heartbeat(input);
  if (!heartbeat) {
    CHECK(!heartbeat.error().context.empty());
    return;
  }
  const std::vector<std::uint8_t> bytes = encode_heartbeat(*heartbeat);
  CHECK(bytes.size() <= input.size(), "{} bytes became {}", input.size(), bytes.size());
  CHECK(decode_heartbeat(bytes) == *heartbeat);
}

// Requests and responses from the same bytes: what is accepted can be written again and reads the same.
inline void check_state_sync(ByteView input) {
  if (const Result<StateSyncRequest> request = decode_state_sync_request(input)) {
    const auto bytes = encode_state_sync_request(*request);
    CHECK(bytes.has_value() && bytes->size() <= input.size());
    CHECK(decode_state_sync_request(*bytes) == *request);
  } else {
    CHECK(!request.error().context.empty());
  }
  const Result<StateSyncResponse> response = decode_state_sync_response(input);
  if (!response) {
    CHECK(!response.error().context.empty());
    return;
  }
  const auto bytes = encode_state_sync_response(*response);
  CHECK(bytes.has_value() && bytes->size() <= input.size());
  CHECK(decode_state_sync_response(*bytes) == *response);
}

inline DatagramSealer& fuzz_sealer() {
  static DatagramSealer sealer(*Keyring::make("kT9#vLq2@xRw7!mZ", "b64:3oJ9wqYtVn1sXgA8"),
                               {.cluster = "fuzz", .environment = "fuzz"});
  return sealer;
}

// The input as a packet opens only if it is one that this very secret made, which none can be by chance. The input as
// content comes back as it was, and no changed byte goes unnoticed.
inline void check_sealed_datagram(ByteView input) {
  DatagramSealer& sealer = fuzz_sealer();
  SeededEntropy entropy((Prng(input.size())));
  if (const OpenResult opened = sealer.open(input)) {
    CHECK(opened->plain.size() + kSealOverheadBytes == input.size());
    CHECK(sealer.open(input, opened->plain.view()).has_value() == opened->plain.empty());
  }
  const ByteView plain = input.first(std::min(input.size(), kClusterMessageBytesMax));
  const SharedBytes packet = sealer.seal(plain, SnowflakeId(input.size()), entropy);
  const OpenResult opened = sealer.open(packet.view());
  CHECK(opened.has_value() && std::ranges::equal(opened->plain.view(), plain));
  if (input.size() < 2) return;
  std::vector<std::uint8_t> changed(packet.view().begin(), packet.view().end());
  changed[(std::size_t{input[0]} << 8 | input[1]) % changed.size()] ^= 1 + input[0] % 255;
  CHECK(!sealer.open(changed).has_value());
  // Past the checks that need no key: the rest of the input under a header of ours.
  if (input.size() < kSealOverheadBytes) return;
  std::vector<std::uint8_t> disguised(input.begin(), input.end());
  std::copy_n(packet.data(), kSealHeaderBytes, disguised.begin());
  const OpenResult wrong = sealer.open(disguised);
  CHECK(!wrong.has_value() || std::ranges::equal(disguised, packet.view()));
}

inline void check_compressed_payload(ByteView input) {
  const CompressionLimits limits{.packed_bytes_max = 4096, .plain_bytes_max = 100'000, .ratio_max = 100};
  const Result<SharedBytes> plain = decompress(input, limits);
  if (!plain) return;
  CHECK(plain->size() <= limits.plain_bytes_max && plain->size() <= limits.ratio_max * input.size());
  if (const auto packed = compress(plain->view(), limits)) {
    const Result<SharedBytes> again = decompress(*packed, limits);
    CHECK(again.has_value() && std::ranges::equal(again->view(), plain->view()));
  }
}

}  // namespace hyperscale::wire::fuzz
