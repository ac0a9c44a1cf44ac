// SingleTry: one user, one iteration, everything kept: what was sent, what came back, how long each part took. For
// `try` and `ping http`, where a person wants to see the exchange, not its statistics.
//
// Runs its own event loop on the calling thread until the answer is there or the plan's timeouts have passed.
#pragma once

#include "base/result.h"
#include "load/protocols/http/exchange_report.h"
#include "load/protocols/tls/tls_details.h"
#include "plan/plan.h"
#include "results/outcome.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::load {

// One request and its answer; a redirect is followed by another one.
struct TriedExchange {
  std::string url;
  std::string address;       // "127.0.0.1:80"
  std::string http_version;  // "HTTP/1.1", "HTTP/2"; empty when there was no connection
  std::string request_head;  // as sent in HTTP/1.1; for HTTP/2 the same fields as lines
  std::uint64_t request_body_bytes = 0;
  std::uint16_t status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;  // after transfer decoding, not decompressed
  results::Outcome outcome = results::Outcome::kOk;
  std::string message;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  Duration lookup{};  // of the name, before
  Duration connect = stream::kNoPhase;
  Duration tls = stream::kNoPhase;
  Duration first_byte = stream::kNoPhase;
  Duration service = stream::kNoPhase;
  Duration total{};
  std::optional<TlsDetails> tls_details;
};

// The first row of each step, one after the other. Fails when the plan cannot run; an exchange that failed is in the
// list.
Result<std::vector<TriedExchange>> try_plan(const plan::Plan& plan);

}  // namespace hyperscale::load
