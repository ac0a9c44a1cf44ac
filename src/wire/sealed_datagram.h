// DatagramSealer: a cluster message as one UDP packet, sealed (message_seal.h) and never larger than kDatagramBytesMax.
//
//   DatagramSealer sealer(keys, {.cluster = "prod", .environment = "eu"});
//   SharedBytes packet = sealer.seal(encode_cluster(message), id, entropy, address_bytes(receiver));
//   OpenResult opened = sealer.open(packet.view(), address_bytes(self));
//
// A packet is bound to its receiver: forwarded by an attacker to another node it does not open there, so a vote for one
// candidate cannot be used for another. Thread rule: one thread at a time.
#pragma once

#include "base/bytes.h"
#include "base/snowflake.h"
#include "wire/entropy_source.h"
#include "wire/keyring.h"
#include "wire/limits.h"
#include "wire/message_seal.h"
#include "wire/node_identity.h"

#include <array>
#include <cstdint>
#include <optional>

namespace hyperscale::wire {

using OpenedDatagram = OpenedMessage;

class DatagramSealer {
 public:
  DatagramSealer(const Keyring& keys, ClusterScope scope, SealMutations mutations = {});

  // REQUIRES: plain.size() <= kClusterMessageBytesMax.
  SharedBytes seal(ByteView plain, SnowflakeId id, EntropySource& entropy, ByteView bound_to = {});
  // As MessageSeal::refusal_by_head. A packet larger than kDatagramBytesMax is malformed.
  std::optional<OpenRefusal> refusal_by_head(ByteView packet) const;
  OpenResult open(ByteView packet, ByteView bound_to = {});

  void rotate(const Keyring& keys) { seal_.rotate(keys); }

 private:
  MessageSeal seal_;
};

// An address as bytes, to bind a packet to it.
using AddressBytes = std::array<std::uint8_t, 18>;
AddressBytes address_bytes(const NodeAddress& address);

}  // namespace hyperscale::wire
