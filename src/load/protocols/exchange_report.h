// ExchangeReport: what an executor needs to know about one finished exchange of any protocol. ExchangeDetails, on
// request, has more. Views and pointers are valid during the call that passes the report.
#pragma once

#include "base/time.h"
#include "results/outcome.h"
#include "stream/sample_sink.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::load {

class ProtocolClient;
struct Prepared;

struct ExchangeReport {
  results::Outcome outcome = results::Outcome::kOk;
  std::uint16_t status = 0;  // of the protocol: HTTP's, zero when there was no complete head; others have none
  bool complete = false;     // the answer was read to its end
  bool sent = false;
  bool turned_away = false;  // refused as often as it may be sent
  bool is_redirect = false;  // another exchange of the same step follows
  std::uint16_t connections_opened = 0;
  std::uint16_t tls_resumed = 0;
  std::uint16_t resent = 0;      // how often it was written again
  std::uint64_t bytes_sent = 0;  // of the exchange alone, all attempts; see ByteCounts
  std::uint64_t bytes_received = 0;
  MonoTime started;
  MonoTime ended;
  MonoTime noticed;  // not before `ended`; the next exchange counts from here
  Duration service = stream::kNoPhase;
  Duration connect = stream::kNoPhase;
  Duration tls = stream::kNoPhase;
  Duration first_byte = stream::kNoPhase;
  std::string_view message;           // error text for people
  std::string_view body;              // its start, when the exchange failed; all of it when the step reads it
  bool body_is_faulty = false;        // `body` holds the bytes around the place that breaks the protocol
  bool body_cut = false;              // the body was longer than what is kept
  std::string_view content_encoding;  // of the body; empty: not encoded
  const ProtocolClient* client = nullptr;
  const Prepared* request = nullptr;
};

}  // namespace hyperscale::load
