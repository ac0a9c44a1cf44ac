// Limits of a plan. plan_codec.h enforces them on both sides; user input is checked against them before a run.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::plan {

inline constexpr std::size_t kPlanBytesMax = std::size_t{256} << 20;  // of the encoded plan, all bodies included
inline constexpr std::size_t kJobBytesMax = kPlanBytesMax;            // of all its workflows together
inline constexpr std::size_t kSegmentBytesMax = 64;

inline constexpr std::size_t kNameBytesMax = 256;  // of a plan, a step, a tag
inline constexpr std::size_t kTagsMax = 64;
inline constexpr std::size_t kTagValueBytesMax = 1024;

inline constexpr std::size_t kWorkflowsMax = 1'000;  // of one job
inline constexpr std::size_t kStepsMax = 1'000;
inline constexpr std::size_t kRequestsMax = 100'000;  // of one step
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kUrlBytesMax = 8 * 1024;
inline constexpr std::size_t kHeadersMax = 200;  // of one request
inline constexpr std::size_t kHeaderNameBytesMax = 256;
inline constexpr std::size_t kHeaderValueBytesMax = 64 * 1024;
inline constexpr std::size_t kBodyBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kDatagramBytesMax = 65'507;  // UDP over IPv4
inline constexpr std::size_t kUntilBytesMax = 1024;
inline constexpr std::uint64_t kRawAnswerBytesMax = std::uint64_t{16} << 20;
inline constexpr std::size_t kExpectedStatusesMax = 500;
inline constexpr std::uint16_t kStatusMax = 999;
inline constexpr std::size_t kExpectedTextBytesMax = 64 * 1024;

inline constexpr std::size_t kChecksMax = 1'000;
inline constexpr std::size_t kMetricsMax = 1'000;
inline constexpr std::size_t kBlobsMax = 1'000;
inline constexpr std::size_t kBlobNameBytesMax = 4096;
inline constexpr std::size_t kBlobBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kSha256TextBytes = 64;
inline constexpr std::size_t kVariablesMax = 1'000;
inline constexpr std::size_t kVariableBytesMax = 64 * 1024;
inline constexpr std::size_t kProvisionsMax = 100;
inline constexpr std::size_t kProvidedToMax = 100;              // workflows that get one value
inline constexpr std::size_t kSharedValuesMax = 200;            // received by a workflow
inline constexpr std::size_t kSharedValueBytesMax = 64 * 1024;  // of one, as JSON

inline constexpr std::uint32_t kVusMax = 10'000'000;
inline constexpr std::uint32_t kFleetVusMax = 1'000'000'000;  // of one workflow in all datacenters
inline constexpr std::size_t kStagesMax = 1'000;
inline constexpr Duration kPlanDurationMax = 24h * 365;  // of any time in a plan
inline constexpr double kRateMax = 1e9;                  // of a rate or a target of a stage

inline constexpr std::uint32_t kRedirectsMax = 100;  // maximum that a user may set
inline constexpr std::size_t kEndpointsMax = 1'000;
inline constexpr std::size_t kHostBytesMax = 253;        // RFC 1035: 255 bytes on the wire
inline constexpr std::size_t kAddressesMax = 1'000;      // of one endpoint, and of source addresses
inline constexpr std::size_t kAddressBytesMax = 64;      // an IPv6 address with a zone
inline constexpr std::size_t kSocketPathBytesMax = 107;  // sun_path without its final zero
inline constexpr std::size_t kPemBytesMax = std::size_t{1} << 20;

static_assert(kBodyBytesMax <= kPlanBytesMax && kBlobBytesMax <= kPlanBytesMax && kPlanBytesMax <= kJobBytesMax);
static_assert(kDatagramBytesMax <= kBodyBytesMax);
static_assert(kUntilBytesMax <= kRawAnswerBytesMax, "it is looked for in an answer");
static_assert(kExpectedStatusesMax <= kStatusMax);
static_assert(kVusMax <= kFleetVusMax && kFleetVusMax <= UINT32_MAX / 2, "users that are added have larger numbers");
static_assert(kProvidedToMax <= kWorkflowsMax);
static_assert(kHostBytesMax <= kUrlBytesMax);

}  // namespace hyperscale::plan
