#include "runtime/sandbox/call_filter.h"

#include "base/errno_text.h"

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// The loop makes these all the time, so they come first. A kernel since 5.11 knows them without running the filter.
const std::initializer_list<int> kHot = {
    SCMP_SYS(io_uring_enter), SCMP_SYS(epoll_pwait2), SCMP_SYS(epoll_wait), SCMP_SYS(recvfrom),
    SCMP_SYS(sendto),         SCMP_SYS(futex),        SCMP_SYS(madvise),    SCMP_SYS(clock_gettime),
};

const std::initializer_list<int> kAllowed = {
    // The loop and its descriptors.
    SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(eventfd2),
    SCMP_SYS(timerfd_create),
    SCMP_SYS(timerfd_settime),
    SCMP_SYS(timerfd_gettime),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(close),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(shutdown),
    SCMP_SYS(getsockopt),
    SCMP_SYS(getsockname),
    SCMP_SYS(getpeername),
    // Memory, of the program and of code that the engine compiles.
    SCMP_SYS(brk),
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(mincore),
    SCMP_SYS(mlock),
    SCMP_SYS(mlock2),
    SCMP_SYS(munlock),
    SCMP_SYS(msync),
    SCMP_SYS(membarrier),
    // Threads of this process and its own signals.
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // Time, randomness and what the process is.
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(getcpu),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(getrlimit),
};

// Neither the program nor its libraries make these calls: a process that does is hijacked.
const std::initializer_list<int> kDeadly = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(setuid),
    SCMP_SYS(setresuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setresgid),
    SCMP_SYS(capset),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(clock_settime),
    SCMP_SYS(settimeofday),
    SCMP_SYS(personality),
};

constexpr std::uint8_t kHotPriority = 255;
constexpr std::uint32_t kNewThread = CLONE_THREAD;
constexpr std::uint32_t kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint32_t kTypeFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
constexpr std::uint32_t kEmptyPath = 0x1000;       // AT_EMPTY_PATH: fstat in this C library
constexpr std::uint32_t kNameMemory = 0x53564d41;  // PR_SET_VMA, newer than the headers

struct FreeFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

class Filter {
 public:
  explicit Filter(scmp_filter_ctx context) : context_(context) {}

  void allow(int call, const std::vector<scmp_arg_cmp>& arguments = {}) { add(SCMP_ACT_ALLOW, call, arguments); }
  void refuse(int call, int error) { add(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call, {}); }
  void kill(int call) { add(SCMP_ACT_KILL_PROCESS, call, {}); }
  void first(int call) { note(seccomp_syscall_priority(context_.get(), call, kHotPriority)); }
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    note(seccomp_attr_set(context_.get(), attribute, value));
  }
  // Returns the first error of all added rules.
  Status load() {
    if (error_ == 0) note(seccomp_load(context_.get()));
    if (error_ == 0) return {};
    return fail(ErrorCode::kInternal, fmt::format("sandbox: filter of system calls: {}", errno_text(-error_)));
  }

 private:
  void add(std::uint32_t action, int call, const std::vector<scmp_arg_cmp>& arguments) {
    note(seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(arguments.size()),
                                arguments.data()));
  }
  void note(int result) {
    if (result < 0 && error_ == 0) error_ = result;
  }

  std::unique_ptr<void, FreeFilter> context_;
  int error_ = 0;
};

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value, .datum_b = 0};
}

// Those bits of the argument have this value.
scmp_arg_cmp has(unsigned argument, std::uint64_t bits, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bits, .datum_b = value};
}

// The lower half only: the kernel reads an int, and the upper half of a register may hold anything.
scmp_arg_cmp is_int(unsigned argument, std::uint32_t value) {
  return has(argument, 0xffffffff, value);
}

void allow_sockets(Filter& filter, Sockets sockets) {
  if (sockets == Sockets::kNone) return;
  const std::uint32_t type = ~kTypeFlags;
  for (const int family : {AF_INET, AF_INET6})
    filter.allow(SCMP_SYS(socket), {is_int(0, static_cast<std::uint32_t>(family)), has(1, type, SOCK_STREAM)});
  for (const int family : {AF_INET, AF_INET6})
    if (with_udp(sockets))
      filter.allow(SCMP_SYS(socket), {is_int(0, static_cast<std::uint32_t>(family)), has(1, type, SOCK_DGRAM)});
  if (with_unix(sockets)) filter.allow(SCMP_SYS(socket), {is_int(0, AF_UNIX), has(1, type, SOCK_STREAM)});
  filter.allow(SCMP_SYS(connect));
  filter.allow(SCMP_SYS(bind));  // to a source address
  for (const int level : {IPPROTO_TCP, IPPROTO_IP, IPPROTO_IPV6})
    filter.allow(SCMP_SYS(setsockopt), {is_int(1, static_cast<std::uint32_t>(level))});
  for (const int option : {SO_LINGER, SO_KEEPALIVE, SO_REUSEADDR, SO_RCVBUF, SO_SNDBUF, SO_PRIORITY, SO_BUSY_POLL})
    filter.allow(SCMP_SYS(setsockopt), {is_int(1, SOL_SOCKET), is_int(2, static_cast<std::uint32_t>(option))});
}

// Calls whose arguments decide.
void allow_some(Filter& filter) {
  filter.allow(SCMP_SYS(clone), {has(0, kNewThread | kNewNamespaces, kNewThread)});
  filter.refuse(SCMP_SYS(clone3), ENOSYS);  // its arguments cannot be seen; the C library then asks for clone
  filter.allow(SCMP_SYS(tgkill), {is_int(0, static_cast<std::uint32_t>(::getpid()))});
  for (const std::uint32_t what : {static_cast<std::uint32_t>(PR_SET_NAME), kNameMemory})
    filter.allow(SCMP_SYS(prctl), {is_int(0, what)});
  filter.allow(SCMP_SYS(prlimit64), {is_int(0, 0), is(2, 0)});  // to ask, not to set
  filter.allow(SCMP_SYS(newfstatat), {is_int(3, kEmptyPath)});
  filter.allow(SCMP_SYS(fallocate), {is_int(1, FALLOC_FL_KEEP_SIZE)});  // the tallies fill their hole
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC})
    filter.allow(SCMP_SYS(fcntl), {is_int(1, static_cast<std::uint32_t>(command))});
}

}  // namespace

bool kernel_filters_calls() {
  const std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return !kSanitized && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Result<bool> filter_calls(Sockets sockets) {
  if (!kernel_filters_calls()) return false;
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (context == nullptr) return fail(ErrorCode::kInternal, "sandbox: no memory for the filter of system calls");
  Filter filter(context);
  filter.set(SCMP_FLTATR_CTL_TSYNC, 1);
  // Nothing in this process is worth more than the rest of it: the kernel's slow mode for filtered processes buys
  // nothing.
  filter.set(SCMP_FLTATR_CTL_SSB, 1);
  for (const int call : kHot) {
    filter.first(call);
    filter.allow(call);
  }
  for (const int call : kAllowed) filter.allow(call);
  allow_some(filter);
  allow_sockets(filter, sockets);
  for (const int call : kDeadly) filter.kill(call);
  if (Status loaded = filter.load(); !loaded) return fail(loaded.error());
  return true;
}

}  // namespace hyperscale::runtime
