// The works are in child_works.cpp.
#include "intake/guarded_child.h"

#include "intake/guarded_work.h"
#include "runtime/process/child_process.h"
#include "runtime/sandbox/sandbox.h"

#include <cerrno>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

using Words = std::vector<std::string>;

Result<OwnedFd> only_null(const std::string& path) {
  if (path != "/dev/null") return fail(ErrorCode::kUnauthorized, "cannot read " + path);
  return OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

std::string outcome(const Words& work, const std::string& request = "", const ChildLimits& limits = {}) {
  const auto answer = answer_of_child({.file = "shop.js", .work = work, .request = {request.begin(), request.end()}},
                                      &only_null, limits);
  // Whatever happened, no child is left, not even a dead one.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  return answer ? "answer " + std::string(answer->begin(), answer->end()) : answer.error().context;
}

TEST(GuardedChild, AnAnswerComesBack) {
  EXPECT_EQ(outcome({"echo"}, "forty-two"), "answer forty-two");
  EXPECT_EQ(outcome({"echo"}, ""), "answer ");
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(outcome({"echo"}, large), "answer " + large);
}

TEST(GuardedChild, AFailureComesBackAsItIs) {
  EXPECT_EQ(outcome({"fail"}, "two\nlines"), "two\nlines");
  EXPECT_EQ(outcome({"no such"}), "there is no work called no such");
  const std::string cut = outcome({"fail"}, std::string(kChildErrorBytesMax + 9, 'x'));
  EXPECT_EQ(cut.size(), kChildErrorBytesMax + 3);
  EXPECT_THAT(cut, EndsWith("x..."));
}

TEST(GuardedChild, AProcessWithThreadsCanAsk) {
  std::string answer;
  std::thread([&] { answer = outcome({"echo"}, "from a thread"); }).join();
  EXPECT_EQ(answer, "answer from a thread");
}

TEST(GuardedChild, OneThatDoesNotAnswerIsEnded) {
  EXPECT_EQ(outcome({"hang"}, "", {.answer_within = 50ms}), "shop.js did not end its top-level code within 50ms");
  // Nor does it read what it is sent.
  EXPECT_EQ(outcome({"no such"}, std::string(5'000'000, 'x')), "there is no work called no such");
}

TEST(GuardedChild, OneThatTakesTooMuchMemoryIsEnded) {
  EXPECT_EQ(outcome({"memory", "300"}, "", {.resident_bytes = std::uint64_t{200} << 20}),
            "shop.js takes more than 200MiB of memory in its top-level code");
}

TEST(GuardedChild, ACrashIsASentence) {
  EXPECT_EQ(outcome({"signal", std::to_string(SIGSEGV)}),
            "the script engine crashed in the top-level code of shop.js (SIGSEGV)");
  EXPECT_THAT(outcome({"signal", std::to_string(SIGABRT)}), EndsWith("(SIGABRT)"));
  EXPECT_THAT(outcome({"signal", std::to_string(SIGKILL)}), HasSubstr("too little memory"));
}

TEST(GuardedChild, AnEndWithoutAnAnswerIsASentence) {
  EXPECT_EQ(outcome({"exit", "0"}), "the process that read shop.js ended without an answer");
  EXPECT_EQ(outcome({"exit", "3"}), "the process that read shop.js ended without an answer");
}

TEST(GuardedChild, TooLargeAnAnswerIsRefused) {
  EXPECT_EQ(outcome({"echo"}, std::string(1024, 'x'), {.answer_bytes = 1024}),
            "what shop.js declares is more than 1KiB");
}

TEST(GuardedChild, HasNeitherFilesNorSocketsNorEnvironment) {
  if (!runtime::sandbox_of_kernel().filtered) GTEST_SKIP() << "no filter of system calls here";
  EXPECT_EQ(outcome({"possessions"}), "answer has:");
}

TEST(GuardedChild, GetsTheFilesThatItsParentAllows) {
  EXPECT_EQ(outcome({"open"}, "/dev/null"), "answer empty");
  EXPECT_EQ(outcome({"open"}, "/etc/passwd"), "cannot read /etc/passwd");
  EXPECT_EQ(outcome({"open"}, std::string(5'000, 'x')), "cannot read a path that long");
}

// Ctrl-C ends the one that waits, by the signal; its child goes with it.
TEST(GuardedChild, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int standard_error = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);  // the one descriptor that children keep
  const auto waiting =
      runtime::start_child({.program = runtime::kOwnProgram, .arguments = {"intake_test", "wait-for-a-child"}});
  ::dup2(standard_error, STDERR_FILENO);
  ::close(standard_error);
  ::close(ends[1]);
  ASSERT_TRUE(waiting) << waiting.error().context;
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  ::kill(*waiting, SIGINT);
  int status = 0;
  EXPECT_EQ(::waitpid(*waiting, &status, 0), *waiting);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  // Whoever is alive holds the other end.
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace hyperscale::intake
