#include "sim/engine/trace.h"

#include "base/endian.h"

#include <bit>

namespace hyperscale::sim {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccd;
  return std::rotl(hash ^ (hash >> 32), 27) * 0xc4ceb9fe1a85ec53;
}

std::uint64_t hash_of(ByteView bytes) {
  std::uint64_t hash = bytes.size();
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) hash = mixed(hash, load_le64(bytes.data() + at));
  std::uint64_t rest = 0;
  for (; at < bytes.size(); ++at) rest = rest << 8 | bytes[at];
  return mixed(hash, rest);
}

std::uint64_t hash_of(std::string_view text) {
  return hash_of(as_bytes(text));
}

void Trace::add(SimTime at, Happening what, HostId host, std::uint64_t detail) {
  hash_ = mixed(mixed(hash_, static_cast<std::uint64_t>(at.ns())),
                mixed(std::uint64_t{static_cast<std::uint8_t>(what)} << 32 | host, detail));
  ++entries_;
}

}  // namespace hyperscale::sim
