#include "base/prng.h"

#include "base/check.h"

#include <bit>

namespace hyperscale {
namespace {

// splitmix64 (Steele, Lea, Flood): spreads even a seed of zero over the whole state.
std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// FNV-1a, spelled out because std::hash differs between libraries and would break replay.
std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Prng::Prng(std::uint64_t seed) : seed_(seed) {
  std::uint64_t filler = seed;
  for (std::uint64_t& word : state_) word = splitmix(filler);
}

Prng Prng::stream(std::string_view name) const {
  // The seed is mixed before the name joins it: a plain xor would make seed and name interchangeable.
  std::uint64_t mixed_seed = seed_;
  std::uint64_t joined = splitmix(mixed_seed) ^ hash_name(name);
  return Prng(splitmix(joined));
}

std::uint64_t Prng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Prng::below(std::uint64_t n) {
  CHECK(n > 0, "a range must hold a value");
  // Lemire's multiply-and-shift; the low half shows when the result would be biased and has to be drawn again.
  using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Prng::unit() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

Duration Prng::between(Duration lo, Duration hi) {
  CHECK(lo <= hi, "{} ns to {} ns", lo.count(), hi.count());
  // Unsigned arithmetic, because the span of the widest range does not fit the signed type.
  const std::uint64_t span = static_cast<std::uint64_t>(hi.count()) - static_cast<std::uint64_t>(lo.count());
  const std::uint64_t offset = span == UINT64_MAX ? next() : below(span + 1);
  return Duration(static_cast<std::int64_t>(static_cast<std::uint64_t>(lo.count()) + offset));
}

}  // namespace hyperscale
