// Routes: map a request to an Answer. They only decide; the connection sends, waits and closes.
//
// Single-threaded; each core has its own RouteState, the only state that an answer depends on: random delays, turns of
// "every 10th", counters.
#pragma once

#include "base/prng.h"
#include "target/answer.h"
#include "target/counters.h"
#include "target/gzip_bodies.h"
#include "target/request.h"
#include "target/turns.h"

#include <string_view>

namespace hyperscale::target {

struct RouteState {
  Prng prng;
  Turns& turns;
  CounterBoard& counters;
  GzipBodies gzip;
};

void answer_route(const Request& request, RouteState& state, Answer& answer);

// /count and /reset-count, which are not counted.
bool is_count_route(std::string_view target);
// Whether the answer needs the body of the request.
bool needs_body(std::string_view target);
// The list that a 404 shows.
std::string_view route_list();

}  // namespace hyperscale::target
