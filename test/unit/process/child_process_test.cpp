#include "runtime/process/child_process.h"

#include "base/owned_fd.h"

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    reading = OwnedFd(ends[0]);
    writing = OwnedFd(ends[1]);
  }
  std::string text() {
    writing.close();
    std::string all;
    for (char byte = 0; ::read(reading.get(), &byte, 1) == 1;) all += byte;
    return all;
  }
  OwnedFd reading, writing;
};

int status_of(pid_t child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

// What a shell command writes to descriptor 3.
std::string written_by(const std::string& command, ChildSetup setup = {}) {
  Pipe pipe;
  setup.program = "/bin/sh";
  setup.arguments = {"sh", "-c", command};
  setup.descriptors.insert(setup.descriptors.begin(), pipe.writing.get());
  const auto child = start_child(setup);
  EXPECT_TRUE(child) << child.error().context;
  std::string text = pipe.text();
  EXPECT_EQ(status_of(*child), 0);
  return text;
}

TEST(ChildProcess, HasItsArgumentsAndEnvironmentAndNoOther) {
  EXPECT_EQ(written_by("echo $A $HOME >&3", {.environment = {"A=b"}}), "b\n");
}

TEST(ChildProcess, HasTheDescriptorsThatItIsGivenAndNoOther) {
  const OwnedFd open_here(::open("/dev/zero", O_RDONLY));  // without O_CLOEXEC
  ASSERT_TRUE(open_here.valid());
  // A shell may redirect its own descriptors for a command, but not for a pipeline that is not its last command.
  EXPECT_EQ(written_by("ls /proc/$$/fd | tr '\\n' ' ' >&3; readlink /proc/$$/fd/0 /proc/$$/fd/1 | cat >&3; :"),
            "0 1 2 3 /dev/null\n/dev/null\n");
}

TEST(ChildProcess, DescriptorsMayHaveEachOthersNumbersHere) {
  // The lowest numbers that are free here are those that they get there, in another order.
  std::vector<OwnedFd> opened;
  for (const char* path : {"/dev/zero", "/dev/full", "/dev/random"})
    opened.emplace_back(::open(path, O_RDONLY | O_CLOEXEC));
  const std::vector<int> reversed{opened[2].get(), opened[1].get(), opened[0].get()};
  EXPECT_EQ(written_by("readlink /proc/$$/fd/4 /proc/$$/fd/5 /proc/$$/fd/6 >&3", {.descriptors = reversed}),
            "/dev/random\n/dev/full\n/dev/zero\n");
}

TEST(ChildProcess, RunsOnItsCore) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  int core = CPU_SETSIZE - 1;
  while (!CPU_ISSET(static_cast<std::size_t>(core), &mine)) --core;
  const std::string wanted = std::to_string(core) + "\n";
  const std::string cores = "grep Cpus_allowed_list /proc/self/status | cut -f2 >&3";
  const std::string all = written_by(cores);
  EXPECT_EQ(written_by(cores, {.core = core}), wanted);
  EXPECT_EQ(written_by(cores), all) << "the next child is not on that core";
}

TEST(ChildProcess, HasASessionOfItsOwnIfAsked) {
  const std::string session = "cut -d' ' -f6 /proc/$$/stat >&3";
  EXPECT_EQ(written_by(session), std::to_string(::getsid(0)) + "\n");
  EXPECT_NE(written_by(session, {.own_session = true}), std::to_string(::getsid(0)) + "\n");
}

TEST(ChildProcess, SignalsReachItThatAreBlockedHere) {
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  EXPECT_EQ(written_by("grep SigBlk /proc/self/status | cut -f2 >&3"), "0000000000000000\n");
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  const auto child = start_child({.program = "/no/such", .arguments = {"such"}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().context, "cannot start /no/such: No such file or directory");
  const auto closed = start_child({.program = "/bin/true", .arguments = {"true"}, .descriptors = {9'999}});
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().context, "cannot start /bin/true: Bad file descriptor");
}

// It has ordered SIGKILL for the end of the thread that started it.
TEST(ChildProcess, OutlivesTheThreadThatAskedForIt) {
  Pipe from_child, to_child;
  pid_t child = 0;
  std::thread([&] {
    const auto started =
        start_child({.program = "/usr/bin/setpriv",
                     .arguments = {"setpriv", "--pdeathsig", "KILL", "sh", "-c", "echo up >&3; read x <&4"},
                     .environment = {"PATH=/usr/bin:/bin"},
                     .descriptors = {from_child.writing.get(), to_child.reading.get()}});
    ASSERT_TRUE(started) << started.error().context;
    child = *started;
    char word[3];
    ASSERT_EQ(::read(from_child.reading.get(), word, 3), 3);  // the signal is ordered
  }).join();
  ASSERT_GT(child, 0);
  // A thread's end, and the signal with it, is over when another thread has been started and joined.
  std::thread([] {}).join();
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0) << "killed with the thread";
  ASSERT_EQ(::write(to_child.writing.get(), "x\n", 2), 2);
  EXPECT_EQ(status_of(child), 0);
}

}  // namespace
}  // namespace hyperscale::runtime
