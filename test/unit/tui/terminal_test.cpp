// The adapter on a real pseudo-terminal whose other end the test holds.
#include "tui/terminal.h"

#include "base/time.h"
#include "tui/terminal_guard.h"

#include <array>
#include <csignal>
#include <future>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::tui {
namespace {

using testing::HasSubstr;

class Pty : public testing::Test {
 protected:
  Pty() {
    winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(::openpty(&watcher_, &terminal_, nullptr, nullptr, &size), 0);
    EXPECT_EQ(::fcntl(watcher_, F_SETFL, O_NONBLOCK), 0);
  }
  ~Pty() override {
    ::close(terminal_);
    if (watcher_ >= 0) ::close(watcher_);
  }

  // What has been shown since the last call.
  std::string shown() {
    std::string all;
    std::array<char, 4096> bytes;
    for (ssize_t n = 0; (n = ::read(watcher_, bytes.data(), bytes.size())) > 0;) {
      all.append(bytes.data(), static_cast<std::size_t>(n));
    }
    return all;
  }
  tcflag_t local_flags() const {
    termios settings{};
    EXPECT_EQ(::tcgetattr(terminal_, &settings), 0);
    return settings.c_lflag;
  }
  void type(std::string_view keys) {
    EXPECT_EQ(::write(watcher_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  int watcher_ = -1, terminal_ = -1;
};

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST_F(Pty, IsTakenOverAndGivenBack) {
  const tcflag_t before = local_flags();
  {
    auto terminal = Terminal::open(terminal_);
    ASSERT_TRUE(terminal.has_value()) << terminal.error().to_string();
    EXPECT_EQ((*terminal)->size(), (Size{80, 24}));
    EXPECT_EQ(local_flags() & (ECHO | ICANON), 0u);
    EXPECT_NE(local_flags() & ISIG, 0u);
    const std::string entered = shown();
    EXPECT_THAT(entered, HasSubstr("\x1b[?1049h"));
    EXPECT_THAT(entered, HasSubstr("\x1b[?25l"));
  }
  EXPECT_EQ(local_flags(), before);
  const std::string left = shown();
  EXPECT_THAT(left, HasSubstr("\x1b[?25h"));
  EXPECT_THAT(left, HasSubstr("\x1b[?1049l"));
}

TEST_F(Pty, IsGivenBackOnEverySignalThatEndsAProcess) {
  const tcflag_t before = local_flags();
  for (const int signal : {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,  SIGBUS,    SIGFPE,
                           SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,  SIGSTKFLT, SIGXCPU,
                           SIGXFSZ, SIGPROF, SIGIO,   SIGPWR,  SIGSYS,  SIGRTMIN, SIGRTMAX,  SIGVTALRM}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit no_core{};
      ::setrlimit(RLIMIT_CORE, &no_core);
      struct sigaction ends{};
      ends.sa_handler = SIG_DFL;
      ::sigaction(signal, &ends, nullptr);  // whatever a sanitizer does with it
      const auto terminal = Terminal::open(terminal_);
      ::raise(signal);
      ::_exit(terminal ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal << " ended it with " << status;
    EXPECT_THAT(shown(), AllOf(HasSubstr("\x1b[?25h"), HasSubstr("\x1b[?1049l"))) << signal;
    EXPECT_EQ(local_flags(), before) << signal;
  }
}

TEST_F(Pty, OtherDescriptorsStillWait) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  EXPECT_EQ(::fcntl(terminal_, F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(Pty, KeysArriveAtOnceAndUnseen) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  shown();
  EXPECT_EQ((*terminal)->read(), "");
  type("q\x1b[A");
  EXPECT_EQ((*terminal)->read(), "q\x1b[A");
  EXPECT_EQ(shown(), "");
}

// proves part: UI-7 (figures of executors reach the screen, which never blocks; not by a queue of updates)
TEST_F(Pty, AScreenThatNobodyReadsNeverBlocks) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  shown();
  std::string written;
  int frames = 0;
  // The kernel takes some; then frames are left out until it is read.
  auto filled = std::async(std::launch::async, [&] {
    while ((*terminal)->is_idle() && frames < 10'000) {
      const std::string frame(4'000, static_cast<char>('a' + frames++ % 26));
      (*terminal)->write(frame);
      written += frame;
    }
  });
  const bool in_time = filled.wait_for(10s) == std::future_status::ready;
  while (filled.wait_for(0s) != std::future_status::ready) shown();
  ASSERT_TRUE(in_time) << "a frame waited for its reader";
  ASSERT_LT(frames, 10'000) << "it was never found busy";
  EXPECT_FALSE((*terminal)->is_gone());
  std::string read;
  for (int i = 0; i < 10'000 && read.size() < written.size(); ++i) {
    read += shown();
    (*terminal)->is_idle();
  }
  EXPECT_EQ(read, written);
  EXPECT_TRUE((*terminal)->is_idle());
}

TEST_F(Pty, IsGivenBackThoughNobodyReads) {
  const tcflag_t before = local_flags();
  {
    auto terminal = Terminal::open(terminal_);
    ASSERT_TRUE(terminal.has_value());
    while ((*terminal)->is_idle()) (*terminal)->write(std::string(4'000, 'x'));
  }
  EXPECT_EQ(local_flags(), before);
  EXPECT_THAT(shown(), HasSubstr("\x1b[?1049l"));
}

TEST_F(Pty, ATerminalThatIsGoneIsNoError) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  ::close(std::exchange(watcher_, -1));
  (*terminal)->write("frame");
  EXPECT_TRUE((*terminal)->is_gone());
  EXPECT_FALSE((*terminal)->is_idle());
  EXPECT_EQ((*terminal)->read(), "");
}

TEST_F(Pty, AResizedWindowIsNoticedOnce) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  EXPECT_FALSE((*terminal)->take_redraw());
  const winsize size{.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(watcher_, TIOCSWINSZ, &size);
  std::raise(SIGWINCH);
  EXPECT_TRUE((*terminal)->take_redraw());
  EXPECT_FALSE((*terminal)->take_redraw());
  EXPECT_EQ((*terminal)->size(), (Size{120, 40}));
}

TEST_F(Pty, ContinuingTakesTheTerminalOverAgain) {
  auto terminal = Terminal::open(terminal_);
  ASSERT_TRUE(terminal.has_value());
  shown();
  std::raise(SIGCONT);
  EXPECT_FALSE((*terminal)->is_idle());
  EXPECT_TRUE((*terminal)->take_redraw());
  EXPECT_TRUE((*terminal)->is_idle());
  EXPECT_THAT(shown(), HasSubstr("\x1b[?1049h"));
}

volatile std::sig_atomic_t handled = 0;

TEST_F(Pty, HandlersOfTheProgramStayInCharge) {
  struct sigaction mine{}, before{}, now{};
  mine.sa_handler = [](int) { handled = handled + 1; };
  ASSERT_EQ(::sigaction(SIGTERM, &mine, &before), 0);
  struct sigaction window_before{};
  ASSERT_EQ(::sigaction(SIGWINCH, &mine, &window_before), 0);
  {
    auto terminal = Terminal::open(terminal_);
    ASSERT_TRUE(terminal.has_value());
    std::raise(SIGTERM);
    std::raise(SIGWINCH);
    EXPECT_EQ(handled, 2);
    EXPECT_TRUE(terminal_guard::is_entered());
  }
  ::sigaction(SIGWINCH, &window_before, &now);
  EXPECT_EQ(now.sa_handler, mine.sa_handler);
  ::sigaction(SIGTERM, &before, &now);
  EXPECT_EQ(now.sa_handler, mine.sa_handler);
}

TEST_F(Pty, NoTerminalIsAnError) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto terminal = Terminal::open(ends[1]);
  ASSERT_FALSE(terminal.has_value());
  EXPECT_EQ(terminal.error().code, ErrorCode::kInvalidArgument);
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace hyperscale::tui
