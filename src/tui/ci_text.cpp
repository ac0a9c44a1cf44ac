#include "tui/ci_text.h"

#include "base/append_format.h"
#include "base/number_text.h"

#include <cmath>

#include <fmt/format.h>

namespace hyperscale::tui {
std::string ci_line(const live::LiveView& view) {
  std::string line = "progress " + elapsed_text(view.elapsed, Glyphs::kAscii);
  if (view.planned > Duration::zero()) line += "/" + elapsed_text(view.planned, Glyphs::kAscii);
  if (const auto done = progress(view)) append_format(line, " {:.0f}%", std::floor(*done * 100));
  append_format(line, " requests={} rate={} errors={}", count_text(view.requests), rate_text(view.rate_per_s),
                count_text(view.errors));
  if (view.errors != 0) append_format(line, " ({})", percent_text(view.errors, view.concluded()));
  if (view.recent_p99 > Duration::zero()) {
    append_format(line, " p50={} p99={}", latency_text(view.recent_p50, Glyphs::kAscii),
                  latency_text(view.recent_p99, Glyphs::kAscii));
  }
  append_format(line, " users={}", count_text(view.vus_active));
  if (view.dropped > 0) append_format(line, " dropped={}", count_text(view.dropped));
  if (view.state != live::RunState::kRunning) {
    append_format(line, " {}", name(view.state));
  } else if (const auto left = time_left(view)) {
    append_format(line, " left={}", elapsed_text(*left, Glyphs::kAscii));
  }
  return line;
}

}  // namespace hyperscale::tui
