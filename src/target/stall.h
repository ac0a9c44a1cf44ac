// Stall: a periodic pause of the whole server, like that of a garbage collector: [0, length) of each period, counted
// from the server's start. Pure; time is passed in.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <string_view>

namespace hyperscale::target {

struct Stall {
  Duration length{};
  Duration period{};
  bool operator==(const Stall&) const = default;
};

// "200ms/2s". Fails with kInvalidArgument; the length is shorter than the period.
Result<Stall> parse_stall(std::string_view text);

// When an answer that is ready at `at` is sent: at once, or at the end of the stall that contains `at`.
MonoTime after_stall(const Stall& stall, MonoTime server_start, MonoTime at);

}  // namespace hyperscale::target
