// Answers to the first of two requests on a connection, and what RFC 9112 asks a client to make of them.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace hyperscale::load {

enum class Ask : std::uint8_t { kGet, kHead, kUpgrade };
enum class Ends : std::uint8_t { kStaysOpen, kCloses, kResets };                   // after the bytes
enum class Fate : std::uint8_t { kComplete, kProtocol, kClosed, kReset, kWaits };  // of the first request
enum class Next : std::uint8_t { kSameConnection, kNewConnection };                // of the second request
enum class Extra : std::uint8_t { kNothing, kStray };                              // behind the answer

struct Http1Case {
  std::string name;
  std::string answer;
  Fate fate = Fate::kComplete;
  Next next = Next::kSameConnection;
  std::uint16_t status = 200;  // of a complete one
  std::string body = {};       // the same
  Ends ends = Ends::kStaysOpen;
  Ask ask = Ask::kGet;
  Extra extra = Extra::kNothing;
};

inline std::ostream& operator<<(std::ostream& out, const Http1Case& one) {
  return out << one.name;
}

std::vector<Http1Case> all_http1_cases();

}  // namespace hyperscale::load
