// Builds raw requests from options: tcp://, tls:// and udp:// with --send, --until and --read; and checks which options
// apply to which protocol.
//
// Pure; any thread. An invalid option is kInvalidArgument with one sentence that starts with its name.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/plan.h"

namespace hyperscale::intake {

// Refuses options that do not apply to the protocol of the URL: headers over TCP, --send over HTTP.
Status check_protocol_options(const RunOptions& options);

// REQUIRES: the URL is raw.
Result<plan::Step> raw_step_of(const RequestOptions& options);

}  // namespace hyperscale::intake
