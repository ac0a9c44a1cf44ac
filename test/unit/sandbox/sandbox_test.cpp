#include "runtime/sandbox/sandbox.h"

#include "runtime/sandbox/privileges.h"
#include "runtime/sandbox/self_test.h"

#include <fstream>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

// The exit status of a copy of this process.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::map<std::string, std::string> own_status() {
  std::map<std::string, std::string> out;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    const std::size_t text = line.find_first_not_of(" \t", colon + 1);
    if (colon != std::string::npos && text != std::string::npos) out[line.substr(0, colon)] = line.substr(text);
  }
  return out;
}

void expect_all_as_it_should(Sockets sockets) {
  if (!sandbox_of_kernel().filtered) GTEST_SKIP() << "no filter of system calls here";
  for (const Attempt& each : try_sandbox(sockets))
    EXPECT_TRUE(each.as_it_should()) << each.what << ": " << self_test_text({each});
}

TEST(SandboxTest, ExecutorCanDoNothingButTcp) {
  expect_all_as_it_should(Sockets::kTcp);
}

TEST(SandboxTest, ExecutorOfDatagramsHasUdpBesideTcp) {
  expect_all_as_it_should(Sockets::kTcpAndUdp);
}

TEST(SandboxTest, ReaderOfFilesHasNoSockets) {
  expect_all_as_it_should(Sockets::kNone);
}

TEST(SandboxTest, NoPrivilegeIsLeft) {
  EXPECT_EQ(in_child([] {
              const bool root = ::geteuid() == 0;
              if (!enter_sandbox(SandboxUser::kNobody)) return 1;
              auto status = own_status();
              const std::string none = "0000000000000000";
              if (status["CapEff"] != none || status["CapPrm"] != none || status["CapInh"] != none) return 2;
              if (status["CapAmb"] != none || status["NoNewPrivs"] != "1") return 3;
              if (root && (status["CapBnd"] != none || status["Groups"].find_first_not_of(' ') != std::string::npos))
                return 4;
              if (root && ::getuid() != kNobody) return 5;
              rlimit core{};
              if (::getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0) return 6;
              return ::prctl(PR_GET_DUMPABLE) == 0 ? 0 : 7;
            }),
            0);
}

TEST(SandboxTest, SameUserStaysWithoutCapabilities) {
  EXPECT_EQ(in_child([] {
              const uid_t before = ::getuid();
              if (!enter_sandbox(SandboxUser::kSame)) return 1;
              return ::getuid() == before && own_status()["CapEff"] == "0000000000000000" ? 0 : 2;
            }),
            0);
}

TEST(SandboxTest, FilesAreReadUntilTheSeal) {
  if (sandbox_of_kernel().landlock_version == 0) GTEST_SKIP() << "no Landlock here";
  EXPECT_EQ(in_child([] {
              if (!enter_sandbox(SandboxUser::kSame)) return 1;
              if (!std::ifstream("/etc/passwd").is_open()) return 2;
              if (std::ofstream("/tmp/sandbox-test").is_open()) return 3;
              if (!seal_sandbox(Sockets::kNone)) return 4;
              return std::ifstream("/etc/passwd").is_open() ? 5 : 0;
            }),
            0);
}

TEST(SandboxTest, TextNamesWhatHolds) {
  EXPECT_EQ(sandbox_text({.landlock_version = 7, .filtered = true}), "seccomp and Landlock (version 7)");
  EXPECT_EQ(sandbox_text({}), "no seccomp and no Landlock");
}

}  // namespace
}  // namespace hyperscale::runtime
