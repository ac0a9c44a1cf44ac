#include "wire/sealed_datagram.h"

#include "base/check.h"
#include "base/endian.h"

#include <algorithm>
#include <utility>

namespace hyperscale::wire {

DatagramSealer::DatagramSealer(const Keyring& keys, ClusterScope scope, SealMutations mutations)
    : seal_(SealForm::kDatagram, keys, std::move(scope), mutations) {}

SharedBytes DatagramSealer::seal(ByteView plain, SnowflakeId id, EntropySource& entropy, ByteView bound_to) {
  CHECK(plain.size() <= kClusterMessageBytesMax, "{} bytes do not fit a datagram", plain.size());
  return seal_.seal(plain, id, entropy, bound_to);
}

std::optional<OpenRefusal> DatagramSealer::refusal_by_head(ByteView packet) const {
  if (packet.size() > kDatagramBytesMax) return OpenRefusal::kMalformed;
  return seal_.refusal_by_head(packet);
}

OpenResult DatagramSealer::open(ByteView packet, ByteView bound_to) {
  if (packet.size() > kDatagramBytesMax) return tl::unexpected(OpenRefusal::kMalformed);
  return seal_.open(packet, bound_to);
}

AddressBytes address_bytes(const NodeAddress& address) {
  AddressBytes bytes;
  std::ranges::copy(address.ip, bytes.begin());
  store_be16(bytes.data() + address.ip.size(), address.port);
  return bytes;
}

}  // namespace hyperscale::wire
