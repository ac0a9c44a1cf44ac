#include "node/run/live_display.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr std::string_view kWipeLine = "\r\x1b[2K";
constexpr unsigned kWidthDefault = 100;

std::size_t width_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidthDefault;
  // The last column is left free, so that no terminal wraps.
  return size.ws_col - 1U;
}

}  // namespace

std::optional<UiMode> ui_mode_from(std::string_view name) {
  if (name == "full") return UiMode::kFull;
  if (name == "ci") return UiMode::kCi;
  if (name == "none") return UiMode::kNone;
  return std::nullopt;
}

UiMode usable_mode(UiMode asked, bool stderr_is_terminal) {
  return asked == UiMode::kFull && !stderr_is_terminal ? UiMode::kCi : asked;
}

LiveDisplay::LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs)
    : mode_(mode), descriptor_(descriptor), glyphs_(glyphs), next_(mode == UiMode::kCi ? kCiInterval : Duration()) {}

LiveDisplay::~LiveDisplay() {
  clear();
}

bool LiveDisplay::is_due(Duration elapsed) const {
  return mode_ != UiMode::kNone && elapsed >= next_;
}

void LiveDisplay::show(const report::ProgressView& view) {
  if (!is_due(view.elapsed)) return;
  if (mode_ == UiMode::kCi) {
    next_ = view.elapsed / kCiInterval * kCiInterval + kCiInterval;
    return write(report::ci_line(view) + "\n");
  }
  write(fmt::format("{}{}", kWipeLine, report::progress_line(view, width_of(descriptor_), glyphs_)));
  drawn_ = true;
}

void LiveDisplay::say(std::string_view sentence) {
  if (mode_ == UiMode::kNone) return;
  clear();
  write(fmt::format("{}\n", sentence));
}

void LiveDisplay::clear() {
  if (std::exchange(drawn_, false)) write(kWipeLine);
}

void LiveDisplay::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace hyperscale::node
