// CoreServices: state that all connections of one core share. Single-threaded, outlives the connections.
#pragma once

#include "load/loop/event_loop.h"
#include "target/answer.h"
#include "target/counters.h"
#include "target/routes.h"
#include "target/stall.h"

#include <cstdint>
#include <optional>

namespace hyperscale::target {

struct CoreServices {
  load::EventLoop& loop;
  RouteState routes;
  CoreCounters& counters;
  MonoTime server_start;  // the phase of every stall
  std::optional<Stall> stall;
  std::uint32_t requests_per_connection_max = 0;  // 0: any number
  bool stopping = false;

  // Counts the request, and makes the answer.
  void answer(const Request& request, CoreCounters::Protocol protocol, std::uint64_t body_bytes, ConnectionMark& mark,
              Answer& answer) {
    if (!is_count_route(request.target)) counters.count_request(protocol, body_bytes, mark);
    answer_route(request, routes, answer);
    if (!answer.stall) answer.stall = stall;
  }

  // When the answer to a request that is complete now is sent; nullopt: at once. A request that arrives in a stall is
  // handled when the stall is over, and its answer may fall into the next stall.
  std::optional<MonoTime> due(const Answer& answer) const {
    if (!answer.stall && answer.delay == Duration::zero()) return std::nullopt;
    const MonoTime now = load::EventLoop::now();
    const auto released = [&](MonoTime at) { return answer.stall ? after_stall(*answer.stall, server_start, at) : at; };
    const MonoTime at = released(released(now) + answer.delay);
    return at > now ? std::optional(at) : std::nullopt;
  }
};

}  // namespace hyperscale::target
