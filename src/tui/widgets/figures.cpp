#include "tui/widgets/figures.h"

#include "base/number_text.h"
#include "tui/widgets/clock_text.h"
#include "tui/widgets/short_count.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

Figure requests(const live::LiveView& view) {
  Figure figure = counter("requests", view.requests);
  if (view.iterations_planned > 0) {
    figure.note = fmt::format("{}/{} iterations", short_count(static_cast<double>(view.iterations)),
                              short_count(static_cast<double>(view.iterations_planned)));
  } else if (view.iterations > 0) {
    figure.note = short_count(static_cast<double>(view.iterations)) + " iterations";
  }
  return figure;
}

Figure errors(const live::LiveView& view) {
  Figure figure = counter("errors", view.errors);
  figure.note = view.requests == 0 ? "" : percent_text(view.errors, view.concluded()) + " of requests";
  // With one request per iteration both counts are the same.
  if (view.iterations_failed > 0 && view.iterations_failed != view.errors)
    figure.note = short_count(static_cast<double>(view.iterations_failed)) + " iterations failed";
  figure.role = view.errors == 0 && view.iterations_failed == 0 ? Role::kGood : Role::kBad;
  return figure;
}

Figure users(const live::LiveView& view) {
  Figure figure = counter("users", view.vus_active);
  if (view.vus_target > 0) figure.note = "of " + count_text(view.vus_target);
  return figure;
}

Figure bytes(std::string_view label, double per_second, std::uint64_t total) {
  return {.label = std::string(label),
          .value = bytes_per_second_text(per_second),
          .note = bytes_text(total) + " in all",
          .role = Role::kText};
}

Figure dropped(const live::LiveView& view) {
  Figure figure = counter("dropped", view.dropped);
  figure.note = "iterations";
  figure.role = view.dropped == 0 ? Role::kText : Role::kWarning;
  return figure;
}

Figure lag(const live::LiveView& view, Glyphs glyphs) {
  // Above this lag the generator itself distorts the results.
  constexpr Duration kLagToWarn = 10ms;
  Figure figure{.label = "lag p99", .value = latency_text(view.lag_p99, glyphs), .note = "", .role = Role::kText};
  if (view.lag_p99 > kLagToWarn) figure.role = Role::kWarning;
  if (view.executors > 0) figure.note = fmt::format("{}/{} executors", view.executors_alive, view.executors);
  if (view.executors_alive < view.executors) figure.role = Role::kWarning;
  return figure;
}

}  // namespace

Figure counter(std::string_view label, std::uint64_t count) {
  return {.label = std::string(label), .value = count_text(count), .note = ""};
}

Figure windowed_rate(const live::LiveView& view) {
  Figure figure{.label = "rate now", .value = rate_text(view.rate_per_s), .note = ""};
  if (view.asked_rate_per_s > 0) figure.note = rate_text(view.asked_rate_per_s) + " asked";
  return figure;
}

Figure total_rate(const live::LiveView& view) {
  return {.label = "rate overall", .value = rate_text(view.total_rate_per_s), .note = ""};
}

Figure timer(const live::LiveView& view) {
  Figure figure{.label = "elapsed", .value = clock_text(view.elapsed), .note = ""};
  if (view.planned > Duration::zero()) figure.note = "of " + clock_text(view.planned);
  return figure;
}

std::vector<Figure> main_figures(const live::LiveView& view) {
  Figure rate = windowed_rate(view);
  if (rate.note.empty()) rate.note = total_rate(view).value + " overall";
  return {std::move(rate), requests(view), errors(view), users(view)};
}

std::vector<Figure> side_figures(const live::LiveView& view, Glyphs glyphs) {
  return {bytes("received", view.received_per_s, view.bytes_received), bytes("sent", view.sent_per_s, view.bytes_sent),
          dropped(view), lag(view, glyphs)};
}

}  // namespace hyperscale::tui
