#include "tui/widgets/outcome_list.h"

#include "base/number_text.h"

#include <tuple>

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr int kGap = 3;
constexpr int kShareCells = 7;

Role role_of(results::Outcome outcome) {
  return results::is_error(outcome) ? Role::kBad : Role::kGood;
}

// "and 3 other kinds: 12", for outcomes that do not fit.
std::string rest_text(std::span<const OutcomeCount> rest) {
  std::uint64_t count = 0;
  for (const OutcomeCount& one : rest) count += one.count;
  return fmt::format("{} more {}: {}", rest.size(), rest.size() == 1 ? "kind" : "kinds", count_text(count));
}

}  // namespace

std::vector<OutcomeCount> outcome_counts(const live::LiveView& view) {
  std::vector<OutcomeCount> counts;
  for (std::size_t i = 0; i < view.outcomes.size(); ++i) {
    if (view.outcomes[i] > 0) counts.push_back({static_cast<results::Outcome>(i), view.outcomes[i]});
  }
  std::ranges::sort(counts, {}, [](const OutcomeCount& one) {
    return std::tuple(results::is_error(one.outcome), ~one.count, one.outcome);
  });
  return counts;
}

void draw_outcome_list(Canvas canvas, const live::LiveView& view) {
  const std::vector<OutcomeCount> counts = outcome_counts(view);
  if (counts.empty()) {
    canvas.text(0, 0, "no answer yet", Role::kDim);
    return;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto y = static_cast<int>(i);
    if (y + 1 == canvas.height() && i + 1 < counts.size()) {
      canvas.text(0, y, rest_text(std::span(counts).subspan(i)), Role::kDim);
      return;
    }
    const int share = canvas.width() - kShareCells;
    canvas.part({share, y, kShareCells, 1})
        .text_until(kShareCells, 0, percent_text(counts[i].count, view.requests), Role::kDim);
    const int begin = canvas.text_until(share - 1, y, count_text(counts[i].count), role_of(counts[i].outcome));
    canvas.text(0, y, begin - 1, results::name(counts[i].outcome), Role::kText);
  }
}

void draw_outcome_line(Canvas canvas, const live::LiveView& view) {
  const std::vector<OutcomeCount> counts = outcome_counts(view);
  if (counts.empty()) {
    canvas.text(0, 0, "no answer yet", Role::kDim);
    return;
  }
  int x = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string count = count_text(counts[i].count);
    const std::string_view name = results::name(counts[i].outcome);
    const bool is_last = i + 1 == counts.size();
    const std::string rest = is_last ? "" : rest_text(std::span(counts).subspan(i + 1));
    const auto needed = static_cast<int>(name.size() + 1 + count.size() + (is_last ? 0 : kGap + rest.size()));
    if (x + needed > canvas.width() && i > 0) {
      canvas.text(x, 0, rest_text(std::span(counts).subspan(i)), Role::kDim);
      return;
    }
    x += canvas.text(x, 0, name, Role::kDim) + 1;
    x += canvas.text(x, 0, count, role_of(counts[i].outcome)) + kGap;
  }
}

}  // namespace hyperscale::tui
