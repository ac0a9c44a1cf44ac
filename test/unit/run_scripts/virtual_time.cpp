#include "virtual_time.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace hyperscale::virtual_time {
namespace {

bool active = false;
MonoTime now = kZero;
MonoTime timer = MonoTime::max();
int timer_fd = -1;
std::function<MonoTime()> next_event_of;
std::function<void()> happens;

void fire_if_due() {
  if (timer > now) return;
  const std::uint64_t one = 1;
  (void)!::write(timer_fd, &one, sizeof one);
  timer = MonoTime::max();
}

// False: nothing will ever happen again.
bool go_on() {
  const MonoTime event = std::max(next_event_of(), now);
  if (timer == MonoTime::max() && event == MonoTime::max()) return false;
  if (timer <= event) {
    now = std::max(now, timer);
    fire_if_due();
    return true;
  }
  now = event;
  happens();
  return true;
}

}  // namespace

void begin(std::function<MonoTime()> next_event, std::function<void()> happen) {
  active = true;
  now = kZero;
  timer = MonoTime::max();
  next_event_of = std::move(next_event);
  happens = std::move(happen);
}

void end() {
  active = false;
  next_event_of = {};
  happens = {};
}

Duration since_begin() {
  return now - kZero;
}

void stand_still(Duration time) {
  now += time;
}

}  // namespace hyperscale::virtual_time

// The program's own definitions win over those of the C library.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using namespace hyperscale::virtual_time;
  if (!active || clock != CLOCK_MONOTONIC) return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  time->tv_sec = now.ns() / 1'000'000'000;
  time->tv_nsec = now.ns() % 1'000'000'000;
  return 0;
}

int epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
  using namespace hyperscale::virtual_time;
  if (!active) return static_cast<int>(::syscall(SYS_epoll_wait, epoll, events, count, timeout));
  for (;;) {
    const auto ready = static_cast<int>(::syscall(SYS_epoll_wait, epoll, events, count, 0));
    if (ready != 0 || timeout == 0) return ready;
    const hyperscale::MonoTime event = next_event_of();
    const bool is_event = timer > std::max(event, now);
    if (!go_on()) return static_cast<int>(::syscall(SYS_epoll_wait, epoll, events, count, -1));
    if (is_event) return static_cast<int>(::syscall(SYS_epoll_wait, epoll, events, count, 0));
  }
}

int timerfd_create(int, int) noexcept {
  using namespace hyperscale::virtual_time;
  timer_fd = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return timer_fd;
}

int timerfd_settime(int fd, int flags, const itimerspec* asked, itimerspec*) noexcept {
  using namespace hyperscale::virtual_time;
  std::uint64_t fired = 0;
  (void)!::read(fd, &fired, sizeof fired);
  const hyperscale::Duration after(asked->it_value.tv_sec * 1'000'000'000 + asked->it_value.tv_nsec);
  timer_fd = fd;
  if (after == hyperscale::Duration::zero()) {
    timer = hyperscale::MonoTime::max();
    return 0;
  }
  timer = (flags & TFD_TIMER_ABSTIME) != 0 ? now : now + after;
  fire_if_due();
  return 0;
}
}
