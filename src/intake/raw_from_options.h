// Raw requests of the command line: tcp://, tls:// and udp:// with --send, --until and --read; and which options are
// not for which protocol.
//
// Pure; any thread. A wrong option is kInvalidArgument and one sentence that starts with its name.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/plan.h"

namespace hyperscale::intake {

// Refuses what makes no sense for the protocol of the URL: headers over TCP, --send over HTTP.
Status check_protocol_options(const RunOptions& options);

// REQUIRES: the URL is a raw one.
Result<plan::Step> raw_step_of(const RequestOptions& options);

}  // namespace hyperscale::intake
