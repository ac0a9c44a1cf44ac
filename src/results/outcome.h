// Outcome: how an exchange ended. A closed set: every started exchange ends in exactly one of these; no exchange is
// left out. Names are part of the interface (JSON, CSV, thresholds).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::results {

enum class Outcome : std::uint8_t {
  kOk,            // answered, status below 400 (or as expected)
  kStatus,        // answered completely, with a status that counts as a failure
  kBodyMismatch,  // answered with an accepted status, but the body is not as expected
  kConnectTimeout,
  kTlsTimeout,
  kFirstByteTimeout,  // sent, but no byte of the answer came in time
  kBodyTimeout,       // the answer began but did not end in time
  kRefused,           // no listener at the address
  kUnreachable,       // no route, or no answer from the network
  kReset,             // the peer reset the connection before the answer was complete
  kClosed,            // the peer closed the connection normally before the answer was complete
  kTls,               // handshake, certificate or record failure
  kProtocol,          // the peer violated HTTP
  kDns,               // a host of a function or a redirect without a known address
  kLocal,             // lack of local resources: ports, descriptors, memory
  kRedirects,         // a redirect that is not followed: too many, or to a host that the plan does not name
  kCut,               // still in flight at the end of the graceful stop
  kScript,            // the step's function failed: an exception, a limit, no response to count
  kRedirected,        // answered with a followed redirect; another exchange of the same request comes after it
  kGraphql,           // answered with an accepted status, but the GraphQL answer has errors
  kBodyLimit,         // answered, but the executor had no room left to keep the body for its readers
};
inline constexpr Outcome kLastOutcome = Outcome::kBodyLimit;
inline constexpr std::size_t kOutcomeCount = static_cast<std::size_t>(kLastOutcome) + 1;

std::string_view name(Outcome outcome);         // "first_byte_timeout"
std::string_view description(Outcome outcome);  // "no answer before the timeout"
// A followed redirect is neither ok nor an error: only the last answer of its chain is judged.
constexpr bool is_error(Outcome outcome) {
  return outcome != Outcome::kOk && outcome != Outcome::kRedirected;
}

}  // namespace hyperscale::results
