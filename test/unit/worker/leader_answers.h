// What a leader answers that accepts everything. A pure function; any thread.
#pragma once

#include "worker/worker_events.h"

#include <cstdint>
#include <variant>

namespace hyperscale::worker {

// `epoch`: of its leadership.
inline wire::JobAnswer accepted(const Send& send, std::uint64_t epoch = 10) {
  if (const auto* progress = std::get_if<wire::ShareProgress>(&send.question)) {
    wire::ProgressAck ack;
    ack.accepted = true;
    ack.known = progress->attempt.fence;
    ack.leader = send.to;
    ack.epoch = epoch;
    return ack;
  }
  if (const auto* query = std::get_if<wire::CancelQuery>(&send.question))
    return wire::CancelQueryAnswer{true, false, query->attempt.fence};
  wire::ReportAck ack;
  ack.accepted = true;
  ack.leader = send.to;
  ack.epoch = epoch;
  return ack;
}

}  // namespace hyperscale::worker
