// Versions of the protocol, and what two nodes of different versions may use together (AD-25).
//
// Pure functions; any thread. Nodes of one MAJOR understand each other; those of different ones refuse each other
// (kConflict). A capability list beyond its limits is refused (kTooLarge).
#pragma once

#include "base/result.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::wire {

inline constexpr ProtocolVersion kProtocolVersion{};  // of this program
inline constexpr ProtocolVersion kNever{.major = 999, .minor = 999};
inline constexpr std::size_t kCapabilitiesMax = 64;
inline constexpr std::size_t kCapabilityBytesMax = 64;
inline constexpr std::size_t kNodeVersionBytesMax = 64;

std::string to_string(ProtocolVersion version);  // "1.3"
Result<ProtocolVersion> parse_protocol_version(std::string_view text);

bool compatible(ProtocolVersion a, ProtocolVersion b);

// The version that introduced a feature; kNever for an unknown name.
ProtocolVersion introduced_in(std::string_view feature);
// Whether two nodes of these versions may use the feature together (AD25-4).
bool usable(std::string_view feature, ProtocolVersion a, ProtocolVersion b);
// Every feature that a version has, in the order of the table.
std::vector<std::string> features_of(ProtocolVersion version);

// Features by their names.
inline constexpr std::string_view kFenceTokens = "fence_tokens";
inline constexpr std::string_view kJobs = "jobs";  // questions and answers of jobs/job_message.h

// Version and features of one side, in a request or its answer.
struct Handshake {
  ProtocolVersion version = {};
  std::vector<std::string> capabilities = {};
  std::string node_version = {};  // "hyperscale-0.5.0"; for people only

  bool operator==(const Handshake&) const = default;
};

struct Agreement {
  ProtocolVersion version = {};            // the older of the two
  std::vector<std::string> features = {};  // ascending; what both have and both versions know

  bool operator==(const Agreement&) const = default;
  bool has(std::string_view feature) const;
};

// The same on both sides, whichever is called local.
Result<Agreement> negotiate(const Handshake& local, const Handshake& remote);

}  // namespace hyperscale::wire
