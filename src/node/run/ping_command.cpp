#include "node/run/ping_command.h"

#include "base/check.h"
#include "node/run/ping_text.h"
#include "node/run/print_text.h"
#include "node/run/run_exit.h"
#include "node/run/service_ping.h"
#include "node/run/terminal_style.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::node {

int ping_command(std::string_view kind, const PingOptions& options) {
  const auto known = plan::parse_request_kind(kind);
  CHECK(known.has_value(), "no kind {} to ping", kind);
  const auto ping = read_ping(*known, options);
  if (!ping) {
    print_text(stderr, fmt::format("hyperscale ping: {}\n", ping.error().context));
    return static_cast<int>(RunExit::kUsage);
  }
  std::vector<PingOutcome> outcomes;
  outcomes.reserve(ping->count);
  for (std::uint32_t i = 0; i < ping->count; ++i) outcomes.push_back(ping_once(*ping));
  const Glyphs glyphs = utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
  print_text(stdout, options.json ? ping_json(*ping, outcomes) : ping_text(*ping, outcomes, glyphs));
  const bool good = std::ranges::all_of(outcomes, &PingOutcome::ok);
  return static_cast<int>(good ? RunExit::kOk : RunExit::kFailed);
}

}  // namespace hyperscale::node
