#include "intake/guarded_child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

using Answer = Result<std::vector<std::uint8_t>>;

std::string outcome(const ChildWork& work, const ChildLimits& limits = {}) {
  const Answer answer = answer_of_child("shop.js", work, limits);
  // Whatever happened, no child is left, not even a dead one.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  return answer ? "answer " + std::string(answer->begin(), answer->end()) : answer.error().context;
}

Answer text(std::string_view words) {
  return std::vector<std::uint8_t>(words.begin(), words.end());
}

// Ends by being killed only.
[[noreturn]] void hang() {
  for (;;) ::pause();
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  ::raise(signal);
  hang();
}

TEST(GuardedChild, AnAnswerComesBack) {
  EXPECT_EQ(outcome([] { return text("forty-two"); }), "answer forty-two");
  EXPECT_EQ(outcome([] { return text(""); }), "answer ");
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(outcome([&] { return text(large); }), "answer " + large);
}

TEST(GuardedChild, AFailureComesBackAsItIs) {
  EXPECT_EQ(outcome([] { return fail(ErrorCode::kInternal, "two\nlines"); }), "two\nlines");
  const std::string cut = outcome([] { return fail(ErrorCode::kInternal, std::string(kChildErrorBytesMax + 9, 'x')); });
  EXPECT_EQ(cut.size(), kChildErrorBytesMax + 3);
  EXPECT_THAT(cut, EndsWith("x..."));
}

TEST(GuardedChild, WhatTheChildDoesStaysThere) {
  int touched = 0;
  EXPECT_EQ(outcome([&] {
              touched = 1;
              return text("");
            }),
            "answer ");
  EXPECT_EQ(touched, 0);
}

TEST(GuardedChild, OneThatDoesNotAnswerIsEnded) {
  EXPECT_EQ(outcome([]() -> Answer { hang(); }, {.answer_within = 50ms}),
            "shop.js did not end its top-level code within 50ms");
}

TEST(GuardedChild, OneThatTakesTooMuchMemoryIsEnded) {
  const auto take = []() -> Answer {
    std::vector<char> much(std::size_t{300} << 20, 'x');
    EXPECT_EQ(much.back(), 'x');
    hang();
  };
  EXPECT_EQ(outcome(take, {.resident_bytes = std::uint64_t{200} << 20}),
            "shop.js takes more than 200MiB of memory in its top-level code");
}

TEST(GuardedChild, ACrashIsASentence) {
  EXPECT_EQ(outcome([]() -> Answer { die_of(SIGSEGV); }),
            "the script engine crashed in the top-level code of shop.js (SIGSEGV)");
  EXPECT_THAT(outcome([]() -> Answer { die_of(SIGABRT); }), EndsWith("(SIGABRT)"));
  EXPECT_THAT(outcome([]() -> Answer { die_of(SIGKILL); }), HasSubstr("too little memory"));
}

TEST(GuardedChild, AnEndWithoutAnAnswerIsASentence) {
  EXPECT_EQ(outcome([]() -> Answer { ::_exit(0); }), "the process that read shop.js ended without an answer");
  EXPECT_EQ(outcome([]() -> Answer { ::_exit(3); }), "the process that read shop.js ended without an answer");
}

TEST(GuardedChild, TooLargeAnAnswerIsRefused) {
  EXPECT_EQ(outcome([] { return text(std::string(1024, 'x')); }, {.answer_bytes = 1024}),
            "what shop.js declares is more than 1KiB");
}

TEST(GuardedChild, HasNeitherFilesNorSocketsNorEnvironment) {
  if (!runtime::sandbox_of_kernel().filtered) GTEST_SKIP() << "no filter of system calls here";
  EXPECT_EQ(outcome([] {
              std::string left;
              if (::open("/etc/passwd", O_RDONLY) >= 0) left += " file";
              if (::socket(AF_INET, SOCK_STREAM, 0) >= 0) left += " socket";
              if (::getenv("PATH") != nullptr) left += " environment";
              if (::fcntl(4, F_GETFD) >= 0) left += " descriptor";
              return text("has:" + left);
            }),
            "answer has:");
}

TEST(GuardedChild, GetsTheFilesThatItsParentAllows) {
  ChildRights rights;
  rights.open = [](const std::string& path) -> Result<OwnedFd> {
    if (path != "/dev/null") return fail(ErrorCode::kUnauthorized, "cannot read " + path);
    return OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  };
  const auto asks = [&](const std::string& path) {
    const Answer answer = answer_of_child(
        "shop.js",
        [&]() -> Answer {
          const auto fd = open_in_parent(path);
          if (!fd) return fail(fd.error());
          char byte = 0;
          return text(::read(fd->get(), &byte, 1) == 0 ? "empty" : "something");
        },
        {}, rights);
    return answer ? std::string(answer->begin(), answer->end()) : answer.error().context;
  };
  EXPECT_EQ(asks("/dev/null"), "empty");
  EXPECT_EQ(asks("/etc/passwd"), "cannot read /etc/passwd");
  EXPECT_EQ(asks(std::string(5'000, 'x')), "cannot read a path that long");
}

// Ctrl-C ends the one that waits, by the signal; its child goes with it.
TEST(GuardedChild, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t waiting = ::fork();
  ASSERT_GE(waiting, 0);
  if (waiting == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);  // the one descriptor that a child keeps
    (void)answer_of_child("shop.js", []() -> Answer {
      if (::write(STDERR_FILENO, "r", 1) != 1) ::_exit(1);
      hang();
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  ::kill(waiting, SIGINT);
  int status = 0;
  EXPECT_EQ(::waitpid(waiting, &status, 0), waiting);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  // Whoever is alive holds the other end.
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace hyperscale::intake
