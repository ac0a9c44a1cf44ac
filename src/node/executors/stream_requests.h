// Requests of other processes of the user to the stream driver of a run: attach, keepalive, detach, announce
// (stream/stream_messages.h). Only consumers attach this way; producers are the run's own executors.
//
// Thread rule: the driver's thread. kProtocol for a malformed request, kNotFound for an unknown method, else the error
// of the driver.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "stream/driver.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace hyperscale::node {

// `peer` is the requesting process; only it may use its lease.
Result<std::vector<std::uint8_t>> answer_stream_request(stream::Driver& driver, std::string_view method, ByteView body,
                                                        pid_t peer);

}  // namespace hyperscale::node
