// ExchangeReport: what an executor needs to know about one finished exchange, whatever its protocol. More is in
// ExchangeDetails, for those who ask. Views and pointers are valid during the call that hands it over.
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
  bool turned_away = false;  // the server gave it back as often as it is repeated
  bool is_redirect = false;  // another exchange of the same step follows
  std::uint16_t connections_opened = 0;
  std::uint16_t tls_resumed = 0;
  std::uint16_t resent = 0;      // times it was written again on another connection
  std::uint64_t bytes_sent = 0;  // of the exchange alone, all attempts; see ByteCounts
  std::uint64_t bytes_received = 0;
  MonoTime started;
  MonoTime ended;
  MonoTime noticed;  // not before `ended`; what follows from the answer begins now
  Duration service = stream::kNoPhase;
  Duration connect = stream::kNoPhase;
  Duration tls = stream::kNoPhase;
  Duration first_byte = stream::kNoPhase;
  std::string_view message;           // what went wrong, for people
  std::string_view body;              // start of it, when it failed; all of it when the step looks at it
  bool body_is_faulty = false;        // it is not a body but bytes around the place that breaks the protocol
  bool body_cut = false;              // the step looks at it, and there was more than is kept
  std::string_view content_encoding;  // of the body; empty: it is as it is
  const ProtocolClient* client = nullptr;
  const Prepared* request = nullptr;
};

}  // namespace hyperscale::load
