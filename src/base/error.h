// The closed set of errors that cross module borders, and what each means to a caller.
//
// Every expected failure is one of these codes plus a sentence of context. Codes are part of the interface: they appear
// in HTTP answers, in frames and in metrics, so a code is never reused for another meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale {

enum class ErrorCode : std::uint8_t {
  kBusy = 1,         // a queue, permit or rate limit is exhausted: back off, then try again
  kTimeout,          // a deadline passed; the context names the operation and the deadline
  kCanceled,         // the caller or a shutdown cancelled the work
  kLagging,          // a slow receiver missed events and must reconcile
  kBrokenPipe,       // the peer closed while we were writing
  kDegraded,         // a service restarts too often; shown in /readyz
  kOpenCircuit,      // the breaker of an endpoint is open: fails fast until it half-opens
  kUnavailable,      // the node drains or is not ready
  kInvalidArgument,  // the request or the configuration is wrong; trying again will not help
  kUnauthorized,     // no token, or a wrong one
  kNotFound,
  kConflict,
  kTooLarge,  // a frame, body or expansion exceeds its limit
  kProtocol,  // the peer broke the protocol
  kInternal,  // a bug or an unexpected failure of the machine
};

// Whether trying the same call again can help.
enum class RetryAdvice : std::uint8_t { kNo, kMaybe, kSometimes };

struct ErrorTraits {
  std::string_view name;  // as callers see it, such as "Busy"
  RetryAdvice retry;
  std::uint16_t http_status;
  std::string_view metric;  // counter that goes up when this error is answered; empty where none exists
};

const ErrorTraits& traits(ErrorCode code);
std::string_view name(ErrorCode code);
std::string_view name(RetryAdvice advice);
// The code for a number read from a frame; nothing for a number outside the set.
std::optional<ErrorCode> error_code_from_number(std::uint16_t number);

struct Error {
  ErrorCode code;
  std::string context;

  std::string to_string() const;  // "Busy: work queue is full (512)"
};

}  // namespace hyperscale
