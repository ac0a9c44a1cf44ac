#include "tui/widgets/key_help.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

using Offered = bool (*)(const KeyOffer&);

struct KeyText {
  std::string_view keys, meaning, brief;
  Offered offered = [](const KeyOffer&) { return true; };
};
constexpr Offered kWorkflows = [](const KeyOffer& offer) { return offer.workflows; };
constexpr Offered kRunning = [](const KeyOffer& offer) { return !offer.paused; };
constexpr Offered kPaused = [](const KeyOffer& offer) { return offer.paused; };
constexpr Offered kUsers = [](const KeyOffer& offer) { return offer.users; };
constexpr Offered kRate = [](const KeyOffer& offer) { return offer.rate; };

constexpr std::array kKeys{KeyText{"q, Ctrl-C", "stop the run; again: stop at once", "q stop"},
                           KeyText{"p", "pause the run, or go on", "p pause", kRunning},
                           KeyText{"", "", "p resume", kPaused},
                           KeyText{"+ -", "more or fewer users", "+- users", kUsers},
                           KeyText{"[ ]", "lower or higher rate", "[] rate", kRate},
                           KeyText{"n b, arrows, Tab", "next or previous workflow", "n b workflow", kWorkflows},
                           KeyText{"1 to 9", "this workflow", "", kWorkflows},
                           KeyText{"h, space", "hold the workflow that is shown", "h hold", kWorkflows},
                           KeyText{"up, down", "move the table of steps", ""},
                           KeyText{"?", "this page; any key closes it", ""}};
constexpr std::string_view kMore = "? keys";
constexpr int kKeyGap = 3;
constexpr int kPageWidth = 60;
constexpr int kKeysCells = 18;
constexpr auto kPageRows =
    static_cast<int>(std::ranges::count_if(kKeys, [](const KeyText& key) { return !key.keys.empty(); }));

// The key is brighter than its description.
int draw_brief(Canvas& canvas, int x, std::string_view brief) {
  const std::size_t blank = brief.rfind(' ');
  const int keys = canvas.text(x, 0, brief.substr(0, blank), Role::kKey);
  return keys + canvas.text(x + keys, 0, brief.substr(blank), Role::kDim);
}

}  // namespace

void draw_key_line(Canvas canvas, const KeyOffer& offer, std::uint64_t tick) {
  const auto more = static_cast<int>(kMore.size());
  int x = 0;
  for (const KeyText& key : kKeys) {
    if (key.brief.empty() || !key.offered(offer)) continue;
    if (x + static_cast<int>(key.brief.size()) + kKeyGap + more > canvas.width()) break;
    x += draw_brief(canvas, x, key.brief) + kKeyGap;
  }
  const int right = std::max(0, canvas.width() - more);
  draw_brief(canvas, right, kMore);
  const std::string shown = tick > 0 ? fmt::format("tick {}", tick) : "";
  if (x + static_cast<int>(shown.size()) + kKeyGap <= right) canvas.text_until(right - kKeyGap, 0, shown, Role::kDim);
}

void draw_key_page(Canvas canvas) {
  const int width = std::min(canvas.width(), kPageWidth), height = kPageRows + 4;
  Canvas page = canvas.part({(canvas.width() - width) / 2, std::max(0, (canvas.height() - height) / 2), width, height});
  const int right = page.width() - 1, bottom = page.height() - 1;
  page.fill({0, 0, page.width(), page.height()}, U' ', ' ', Role::kText);
  page.fill({1, 0, right - 1, 1}, U'─', '-', Role::kFaint);
  page.fill({1, bottom, right - 1, 1}, U'─', '-', Role::kFaint);
  page.fill({0, 1, 1, bottom - 1}, U'│', '|', Role::kFaint);
  page.fill({right, 1, 1, bottom - 1}, U'│', '|', Role::kFaint);
  page.glyph(0, 0, U'╭', '+', Role::kFaint);
  page.glyph(right, 0, U'╮', '+', Role::kFaint);
  page.glyph(0, bottom, U'╰', '+', Role::kFaint);
  page.glyph(right, bottom, U'╯', '+', Role::kFaint);
  page.text(2, 0, " Keys ", Role::kSection);
  Canvas inside = page.part({3, 2, page.width() - 6, page.height() - 4});
  int y = 0;
  for (const KeyText& key : kKeys) {
    if (key.keys.empty()) continue;
    inside.text(0, y, kKeysCells, key.keys, Role::kKey);
    inside.text(kKeysCells, y, key.meaning, Role::kText);
    ++y;
  }
}

}  // namespace hyperscale::tui
