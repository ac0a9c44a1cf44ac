// PacketChecker: checks every datagram that a node sends. It fits the path, and no two different ones are sealed with
// the same salt and nonce: that would reveal the key stream (SEC: a nonce is used once).
//
// Single-threaded. Reads only the unencrypted head of a sealed datagram: a byte of form, then key id, salt and nonce.
// Stores those three as 64-bit hashes: two pairs that collide would count as one, which 2,000 runs see with a
// probability of about one in a million.
#pragma once

#include "base/bytes.h"
#include "sim/checkers/observation.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace hyperscale::sim {

class PacketChecker {
 public:
  static constexpr std::string_view kNonceOnce = "nonce_once";
  static constexpr std::string_view kFitsPath = "datagram_fits";

  // head_bytes: length of the part before the ciphertext.
  PacketChecker(std::size_t mtu_bytes, std::size_t head_bytes) : mtu_bytes_(mtu_bytes), head_bytes_(head_bytes) {}

  Finding size(HostId from, ByteView packet) const;
  Finding nonce(HostId from, ByteView packet);

 private:
  std::size_t mtu_bytes_;
  std::size_t head_bytes_;
  std::unordered_map<std::uint64_t, std::uint64_t> content_of_pair_;  // for lookup only, never iterated
};

}  // namespace hyperscale::sim
