#include "node/local/live_display.h"

#include "base/terminal_text.h"
#include "node/local/terminal_style.h"
#include "tui/ci_text.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr std::size_t kSaidMax = 1'000;

}  // namespace

LiveDisplay::LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs, FullScreen::Calls calls)
    : mode_(mode), descriptor_(descriptor), glyphs_(glyphs), calls_(std::move(calls)) {}

LiveDisplay::~LiveDisplay() {
  close();
}

void LiveDisplay::open(asio::io_context& io) {
  if (mode_ != UiMode::kFull) return;
  const bool plain = glyphs_ == Glyphs::kAscii;
  const tui::LiveScreenOptions options{
      .drawing = {.glyphs = glyphs_, .ink = plain ? tui::Ink::kAscii : tui::Ink::kBraille},
      .colours = colours_of_terminal()};
  auto screen = FullScreen::open(io, descriptor_, options, calls_);
  if (screen) {
    screen_ = std::move(*screen);
  } else {
    mode_ = UiMode::kCi;
    say(fmt::format("no screen: {}", screen.error().context));
  }
}

void LiveDisplay::pass(Duration elapsed) {
  if (mode_ != UiMode::kCi || elapsed < next_) return;
  next_ = elapsed / kCiInterval * kCiInterval + kCiInterval;
  write(tui::ci_line(calls_.view()) + "\n");
}

void LiveDisplay::say(std::string_view sentence) {
  if (mode_ == UiMode::kNone) return;
  std::string lines = visible_lines(sentence, glyphs_);
  if (!screen_) return write(lines + "\n");
  if (said_.size() < kSaidMax) said_.push_back(std::move(lines));
}

void LiveDisplay::close() {
  screen_.reset();
  for (const std::string& sentence : std::exchange(said_, {})) write(sentence + "\n");
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
