#include "wire/protocol_version.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

struct Feature {
  std::string_view name;
  ProtocolVersion since;
};

constexpr std::array<Feature, 5> kFeatures{{
    {.name = "cancellation", .since = {.major = 1, .minor = 0}},
    {.name = "batched_stats", .since = {.major = 1, .minor = 1}},
    {.name = "client_reconnection", .since = {.major = 1, .minor = 2}},
    {.name = kFenceTokens, .since = {.major = 1, .minor = 2}},
    {.name = kJobs, .since = {.major = 1, .minor = 3}},
}};

// Digits only, without a sign or a needless zero.
bool parse_part(std::string_view digits, std::uint16_t& part) {
  const auto [stopped, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
  return error == std::errc{} && stopped == digits.data() + digits.size() &&
         (digits.size() == 1 || digits.front() != '0');
}

Status check_capabilities(const Handshake& handshake) {
  if (handshake.capabilities.size() > kCapabilitiesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} capabilities in a handshake, at most {}",
                                                  handshake.capabilities.size(), kCapabilitiesMax));
  }
  for (const std::string& capability : handshake.capabilities) {
    if (capability.size() > kCapabilityBytesMax) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("a capability of {} bytes, at most {}", capability.size(), kCapabilityBytesMax));
    }
  }
  return {};
}

}  // namespace

std::string to_string(ProtocolVersion version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

Result<ProtocolVersion> parse_protocol_version(std::string_view text) {
  ProtocolVersion version;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || !parse_part(text.substr(0, dot), version.major) ||
      !parse_part(text.substr(dot + 1), version.minor)) {
    return fail(ErrorCode::kProtocol, "a protocol version is MAJOR.MINOR, such as 1.3");
  }
  return version;
}

bool compatible(ProtocolVersion a, ProtocolVersion b) {
  return a.major == b.major;
}

ProtocolVersion introduced_in(std::string_view feature) {
  const auto* const found = std::ranges::find(kFeatures, feature, &Feature::name);
  return found == kFeatures.end() ? kNever : found->since;
}

bool usable(std::string_view feature, ProtocolVersion a, ProtocolVersion b) {
  return std::min(a, b) >= introduced_in(feature);
}

std::vector<std::string> features_of(ProtocolVersion version) {
  std::vector<std::string> names;
  for (const Feature& feature : kFeatures) {
    if (version >= feature.since) names.emplace_back(feature.name);
  }
  return names;
}

bool Agreement::has(std::string_view feature) const {
  return std::ranges::binary_search(features, feature, std::less<>());
}

Result<Agreement> negotiate(const Handshake& local, const Handshake& remote) {
  if (!compatible(local.version, remote.version)) {
    return fail(ErrorCode::kConflict, fmt::format("protocol version {} of the peer is not compatible with {}",
                                                  to_string(remote.version), to_string(local.version)));
  }
  for (const Handshake* side : {&local, &remote}) {
    if (Status ok = check_capabilities(*side); !ok) return fail(ok.error());
  }
  Agreement agreement{.version = std::min(local.version, remote.version), .features = {}};
  const std::set<std::string> theirs(remote.capabilities.begin(), remote.capabilities.end());
  for (const std::string& mine : std::set<std::string>(local.capabilities.begin(), local.capabilities.end())) {
    if (theirs.contains(mine) && usable(mine, local.version, remote.version)) agreement.features.push_back(mine);
  }
  return agreement;
}

}  // namespace hyperscale::wire
