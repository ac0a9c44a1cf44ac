#include "runtime/sandbox/self_test.h"

#include "base/errno_text.h"
#include "runtime/sandbox/environment.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

constexpr int kSetupFailed = 255;
constexpr std::size_t kPage = 4096;

struct Case {
  std::string_view what;
  long (*call)();  // -1 and errno, or the result of the call
  bool for_tcp;    // whether it should work with Sockets::kTcp
  bool for_none;   // and with Sockets::kNone
};

long exec_a_shell() {
  std::array<char*, 2> arguments{const_cast<char*>("sh"), nullptr};
  return ::execve("/bin/sh", arguments.data(), environ);
}
long read_passwords() {
  return ::open("/etc/passwd", O_RDONLY);
}
long read_own_environment() {
  return ::open("/proc/self/environ", O_RDONLY);
}
long write_a_file() {
  return ::open("/tmp/hyperscale-self-test", O_WRONLY | O_CREAT, 0600);
}
long remove_a_file() {
  return ::unlink("/tmp/hyperscale-self-test");
}
long list_a_folder() {
  return ::openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
}
long make_a_folder() {
  return ::mkdir("/tmp/hyperscale-self-test-folder", 0700);
}
long copy_itself() {
  return ::syscall(SYS_fork);
}
long copy_by_clone() {
  return ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
}
long unix_socket() {
  return ::socket(AF_UNIX, SOCK_STREAM, 0);
}
long netlink_socket() {
  return ::socket(AF_NETLINK, SOCK_RAW, 0);
}
long packet_socket() {
  return ::socket(AF_PACKET, SOCK_RAW, 0);
}
long raw_socket() {
  return ::socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}
long datagram_socket() {
  return ::socket(AF_INET, SOCK_DGRAM, 0);
}
long tcp_socket() {
  return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}
long tcp_socket_6() {
  return ::socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}
long listen_on_a_port() {
  return ::listen(STDERR_FILENO, 1);
}
long trace_the_parent() {
  return ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr);
}
long read_the_parent() {
  char byte = 0;
  const iovec to{&byte, 1};
  return ::process_vm_readv(::getppid(), &to, 1, &to, 1, 0);
}
long kill_the_parent() {
  return ::kill(::getppid(), SIGCONT);
}
long thread_kill_parent() {
  return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), SIGCONT);
}
long mount_a_folder() {
  return ::syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr);
}
long new_namespace() {
  return ::unshare(CLONE_NEWUSER);
}
long load_bpf() {
  return ::syscall(SYS_bpf, 0, nullptr, 0);
}
long new_ring() {
  return ::syscall(SYS_io_uring_setup, 4, nullptr);
}
long ring_rules() {
  return ::syscall(SYS_io_uring_register, -1, 0, nullptr, 0);
}
long count_events() {
  return ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0);
}
long become_root() {
  return ::syscall(SYS_setresuid, 0, 0, 0);
}
long make_memory_file() {
  return ::memfd_create("self-test", 0);
}
long type_into_terminal() {
  return ::syscall(SYS_ioctl, STDERR_FILENO, 0x5412 /* TIOCSTI */, "x");
}
long make_executable() {
  void* page = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? -1 : ::mprotect(page, kPage, PROT_READ | PROT_EXEC);
}
long start_a_thread() {
  constexpr std::size_t kStack = std::size_t{64} << 10;
  static std::array<char, kStack> stack;
  static volatile int done = 0;
  const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  const auto body = [](void*) {
    done = 1;
    ::syscall(SYS_exit, 0);
    return 0;
  };
  if (::clone(body, stack.data() + stack.size(), flags, nullptr) < 0) return -1;
  while (done == 0) ::sched_yield();
  return 0;
}
long write_to_log() {
  return ::write(STDERR_FILENO, "", 0);
}

constexpr std::array kCases = {
    Case{"start a program", exec_a_shell, false, false},
    Case{"read /etc/passwd", read_passwords, false, false},
    Case{"read its own environment", read_own_environment, false, false},
    Case{"write a file", write_a_file, false, false},
    Case{"remove a file", remove_a_file, false, false},
    Case{"list a folder", list_a_folder, false, false},
    Case{"make a folder", make_a_folder, false, false},
    Case{"copy itself (fork)", copy_itself, false, false},
    Case{"copy itself (clone)", copy_by_clone, false, false},
    Case{"open a Unix socket", unix_socket, false, false},
    Case{"open a netlink socket", netlink_socket, false, false},
    Case{"open a packet socket", packet_socket, false, false},
    Case{"open a raw socket", raw_socket, false, false},
    Case{"open a UDP socket", datagram_socket, false, false},
    Case{"listen on a port", listen_on_a_port, false, false},
    Case{"trace its parent", trace_the_parent, false, false},
    Case{"read memory of its parent", read_the_parent, false, false},
    Case{"signal its parent", kill_the_parent, false, false},
    Case{"signal a thread of its parent", thread_kill_parent, false, false},
    Case{"mount", mount_a_folder, false, false},
    Case{"make a namespace", new_namespace, false, false},
    Case{"load a BPF program", load_bpf, false, false},
    Case{"make an io_uring", new_ring, false, false},
    Case{"change an io_uring", ring_rules, false, false},
    Case{"read performance counters", count_events, false, false},
    Case{"become root", become_root, false, false},
    Case{"make a file in memory", make_memory_file, false, false},
    Case{"type into the terminal", type_into_terminal, false, false},
    Case{"open a TCP socket (IPv4)", tcp_socket, true, false},
    Case{"open a TCP socket (IPv6)", tcp_socket_6, true, false},
    Case{"compile (executable memory)", make_executable, true, true},
    Case{"start a thread", start_a_thread, true, true},
    Case{"write to standard error", write_to_log, true, true},
};

[[noreturn]] void attempt(const Case& each, Sockets sockets) {
  clear_environment();
  if (!enter_sandbox(SandboxUser::kNobody) || !seal_sandbox(sockets)) ::_exit(kSetupFailed);
  errno = 0;
  const long got = each.call();
  ::syscall(SYS_exit_group, got == -1 ? errno : 0);
  __builtin_unreachable();
}

Attempt tried(const Case& each, Sockets sockets) {
  const bool allowed = with_udp(sockets) && each.call == datagram_socket;
  Attempt out{.what = each.what, .should_work = allowed || (sockets == Sockets::kNone ? each.for_none : each.for_tcp)};
  const pid_t child = ::fork();
  if (child == 0) attempt(each, sockets);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return out;
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGSYS) out.end = AttemptEnd::kKilled;
    return out;
  }
  if (WEXITSTATUS(status) == kSetupFailed) return out;
  out.error = WEXITSTATUS(status);
  out.end = out.error == 0 ? AttemptEnd::kWorked : AttemptEnd::kRefused;
  return out;
}

std::string end_text(const Attempt& attempt) {
  switch (attempt.end) {
    case AttemptEnd::kWorked:
      return "works";
    case AttemptEnd::kRefused:
      return fmt::format("refused ({})", errno_text(attempt.error));
    case AttemptEnd::kKilled:
      return "killed";
    case AttemptEnd::kNotTried:
      break;
  }
  return "could not be tried";
}

}  // namespace

std::vector<Attempt> try_sandbox(Sockets sockets) {
  std::vector<Attempt> out;
  out.reserve(std::size(kCases));
  for (const Case& each : kCases) out.push_back(tried(each, sockets));
  return out;
}

std::string self_test_text(const std::vector<Attempt>& attempts) {
  std::string text;
  for (const Attempt& each : attempts)
    text += fmt::format("{:<6}{:<32}{}\n", each.as_it_should() ? "ok" : "WRONG", each.what, end_text(each));
  return text;
}

}  // namespace hyperscale::runtime
