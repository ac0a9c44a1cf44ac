#include "apps/hyperscale/ping/ping_command.h"

#include "apps/hyperscale/ping/ping_text.h"
#include "apps/hyperscale/ping/service_ping.h"
#include "base/check.h"
#include "base/exit_code.h"
#include "base/print_text.h"
#include "node/local/terminal_style.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::app {

int ping_command(std::string_view kind, const PingOptions& options) {
  const auto known = plan::parse_request_kind(kind);
  CHECK(known.has_value(), "no kind {} to ping", kind);
  const auto ping = read_ping(*known, options);
  if (!ping) {
    print_text(stderr, fmt::format("hyperscale ping: {}\n", ping.error().context));
    return static_cast<int>(ExitCode::kUsage);
  }
  std::vector<PingOutcome> outcomes;
  outcomes.reserve(ping->count);
  for (std::uint32_t i = 0; i < ping->count; ++i) outcomes.push_back(ping_once(*ping));
  const Glyphs glyphs = node::utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
  print_text(stdout, options.json ? ping_json(*ping, outcomes) : ping_text(*ping, outcomes, glyphs));
  const bool good = std::ranges::all_of(outcomes, &PingOutcome::ok);
  return static_cast<int>(good ? ExitCode::kOk : ExitCode::kFailed);
}

}  // namespace hyperscale::app
