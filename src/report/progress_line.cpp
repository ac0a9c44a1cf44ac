#include "report/progress_line.h"

#include "base/number_text.h"
#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

constexpr std::size_t kBarWidth = 16;

// How much is done, 0 to 1; nothing for a run without an end.
std::optional<double> fraction(const ProgressView& view) {
  double done = -1;
  if (view.planned > Duration::zero())
    done = static_cast<double>(view.elapsed.count()) / static_cast<double>(view.planned.count());
  if (view.iterations_planned > 0) {
    done = std::max(done, static_cast<double>(view.iterations) / static_cast<double>(view.iterations_planned));
  }
  if (done < 0) return std::nullopt;
  return std::clamp(done, 0.0, 1.0);
}

std::string whole_seconds(Duration duration) {
  const std::int64_t seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(duration).count());
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

// Time left; nothing while too little is done to tell.
std::optional<Duration> left_over(const ProgressView& view) {
  constexpr double kTooEarly = 0.01;
  std::optional<Duration> rest;
  if (view.planned > Duration::zero()) rest = std::max(Duration::zero(), view.planned - view.elapsed);
  if (view.iterations_planned > 0) {
    const double done = static_cast<double>(view.iterations) / static_cast<double>(view.iterations_planned);
    if (done >= kTooEarly) {
      const Duration by_count(std::llround(static_cast<double>(view.elapsed.count()) * std::max(0.0, 1 / done - 1)));
      rest = rest ? std::min(*rest, by_count) : by_count;
    }
  }
  return rest;
}

std::string bar(double done, Glyphs glyphs) {
  if (glyphs == Glyphs::kAscii) {
    const auto full = static_cast<std::size_t>(done * kBarWidth);
    return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "]";
  }
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(done * kBarWidth * 8);
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return "▕" + left(text, kBarWidth) + "▏";
}

std::string clock_part(const ProgressView& view) {
  if (view.planned <= Duration::zero()) return whole_seconds(view.elapsed);
  return whole_seconds(std::min(view.elapsed, view.planned)) + "/" + whole_seconds(view.planned);
}

std::string errors_part(const ProgressView& view) {
  if (view.errors == 0) return "0 errors";
  return fmt::format("{} {} ({})", count_text(view.errors), view.errors == 1 ? "error" : "errors",
                     percent_text(view.errors, view.requests));
}

struct Part {
  std::string text;
  int worth;  // the lowest goes first when the screen is narrow
};

}  // namespace

std::string progress_line(const ProgressView& view, std::size_t width, Glyphs glyphs) {
  std::vector<Part> parts;
  const std::optional<double> done = fraction(view);
  if (done) parts.push_back({bar(*done, glyphs), 3});
  parts.push_back({clock_part(view), 9});
  parts.push_back({rate_text(view.rate_per_s), 8});
  parts.push_back({count_text(view.requests) + (view.requests == 1 ? " request" : " requests"), 6});
  parts.push_back({errors_part(view), 7});
  if (view.p99 > Duration::zero()) {
    parts.push_back({fmt::format("p50 {}  p99 {}", latency_text(view.p50, glyphs), latency_text(view.p99, glyphs)), 5});
  }
  parts.push_back({fmt::format("{} {} busy", count_text(view.vus), view.vus == 1 ? "user" : "users"), 2});
  if (view.stopping) {
    parts.push_back({"stopping", 10});
  } else if (const auto rest = left_over(view)) {
    parts.push_back({fmt::format("{} left", whole_seconds(*rest)), 4});
  }
  for (;;) {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    if (cells(line) <= width || parts.size() == 1) return cut(line, width, glyphs);
    parts.erase(std::ranges::min_element(parts, {}, &Part::worth));
  }
}

std::string ci_line(const ProgressView& view) {
  std::string line = fmt::format("progress {}", elapsed_text(view.elapsed, Glyphs::kAscii));
  if (view.planned > Duration::zero()) line += "/" + elapsed_text(view.planned, Glyphs::kAscii);
  if (const auto done = fraction(view)) line += fmt::format(" {:.0f}%", std::floor(*done * 100));
  line += fmt::format(" requests={} rate={} errors={}", count_text(view.requests), rate_text(view.rate_per_s),
                      count_text(view.errors));
  if (view.errors != 0) line += fmt::format(" ({})", percent_text(view.errors, view.requests));
  if (view.p99 > Duration::zero()) {
    line +=
        fmt::format(" p50={} p99={}", latency_text(view.p50, Glyphs::kAscii), latency_text(view.p99, Glyphs::kAscii));
  }
  line += fmt::format(" users={}", count_text(view.vus));
  if (view.stopping) return line + " stopping";
  if (const auto rest = left_over(view)) line += fmt::format(" left={}", elapsed_text(*rest, Glyphs::kAscii));
  return line;
}

}  // namespace hyperscale::report
