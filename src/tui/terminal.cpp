#include "tui/terminal.h"

#include "base/check.h"
#include "base/errno_text.h"
#include "tui/terminal_guard.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hyperscale::tui {
namespace {

constexpr Size kSizeUnknown{80, 24};
constexpr std::size_t kPathBytesMax = 256;

// A separate open file description, so that O_NONBLOCK does not affect other programs.
int open_again(int descriptor) {
  constexpr int kFlags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  std::array<char, kPathBytesMax> path{};
  if (::ttyname_r(descriptor, path.data(), path.size()) == 0) {
    if (const int own = ::open(path.data(), kFlags); own >= 0) return own;
  }
  // Opening by name may be denied, for example after a change of user.
  return ::open("/dev/tty", kFlags);
}

termios raw_settings(termios settings) {
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  settings.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return settings;
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::open(int descriptor) {
  termios saved{};
  if (::isatty(descriptor) == 0 || ::tcgetattr(descriptor, &saved) != 0) {
    return fail(ErrorCode::kInvalidArgument, "the output is not a terminal");
  }
  if (terminal_guard::is_in_background(descriptor)) {
    return fail(ErrorCode::kUnavailable, "this program runs in the background of its terminal");
  }
  CHECK(!terminal_guard::is_entered(), "a process has one live screen at a time");
  OwnedFd own(open_again(descriptor));
  if (!own.valid())
    return fail(ErrorCode::kUnavailable, fmt::format("cannot open the terminal: {}", errno_text(errno)));
  terminal_guard::guard(own.get(), saved, raw_settings(saved));
  return std::unique_ptr<Terminal>(new Terminal(std::move(own)));
}

Terminal::~Terminal() {
  terminal_guard::release();
}

Size Terminal::size() const {
  winsize size{};
  if (::ioctl(own_.get(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return kSizeUnknown;
  return {size.ws_col, size.ws_row};
}

std::string Terminal::read() {
  std::array<char, 256> bytes;
  if (gone_ || !terminal_guard::is_entered() || terminal_guard::is_in_background(own_.get())) return {};
  const ssize_t count = ::read(own_.get(), bytes.data(), bytes.size());
  // EAGAIN means no input; end of input means that the terminal hung up.
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) gone_ = true;
  return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

bool Terminal::take_redraw() {
  const bool resized = terminal_guard::take_resized();
  const bool resumed = terminal_guard::reenter();
  if (resumed) rest_.clear();
  return resized || resumed;
}

bool Terminal::is_idle() {
  if (gone_ || !terminal_guard::is_entered() || terminal_guard::is_in_background(own_.get())) return false;
  flush();
  return rest_.empty() && !gone_;
}

void Terminal::write(std::string_view bytes) {
  CHECK(rest_.empty(), "{} bytes of the frame before are not out", rest_.size());
  rest_ = bytes;
  flush();
}

void Terminal::flush() {
  std::string_view left = rest_;
  while (!left.empty()) {
    const ssize_t written = ::write(own_.get(), left.data(), left.size());
    if (written > 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else {
      gone_ = written < 0 && errno != EAGAIN;
      break;
    }
  }
  if (gone_) left = {};
  rest_.erase(0, rest_.size() - left.size());
}

}  // namespace hyperscale::tui
