// A raw request: a plan::Request whose URL is tcp://, tls:// or udp:// and whose method is TCP, TLS or UDP. Its body is
// what is sent; nothing is added.
//
// Where the answer ends:
//   TCP, `until`       with the first of these bytes, which belong to it
//   TCP, `read_bytes`  after this many bytes
//   TCP, neither       with the first bytes that arrive: right for small answers in one piece
//   UDP                with the first datagram; with `until`, with the first one that contains these bytes
// An answer of more than kRawAnswerBytesMax is an error.
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "plan/plan.h"

#include <string>
#include <string_view>

namespace hyperscale::plan {

// True if a request sends raw bytes; an HTTP request to such a URL does not.
bool is_raw_request(const Request& request);

// Fails with kInvalidArgument when it cannot be sent, or its answer could never end; the sentence begins with the name
// of the field: "until: ...".
Status check_raw_request(const Request& request);

// Its name in results and in names of steps: "tcp://localhost:6379".
std::string raw_name(const Request& request);

// True if datagrams may be sent: by a step, or by a function.
bool uses_datagrams(const Plan& plan);

}  // namespace hyperscale::plan
