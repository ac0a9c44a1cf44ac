#include "load/loop/event_loop.h"

#include "load/loop/epoll_loop.h"
#include "load/loop/uring_loop.h"

#include <algorithm>
#include <ctime>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace hyperscale::load {
namespace {

// Bytes that waited are handled after the loop was blocked, which takes time as well.
constexpr Duration kDoubtMin = 20ms;

Duration kernel_tick() {
  static const Duration tick = [] {
    timespec resolution{};
    ::clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
    return std::chrono::seconds(resolution.tv_sec) + Duration(resolution.tv_nsec);
  }();
  return tick;
}

}  // namespace

void EventLoop::held_up(MonoTime since, MonoTime until) {
  held_since_ = since;
  held_until_ = until;
  doubt_until_ = std::max(doubt_until_, until + std::max(until - since, kDoubtMin));
}

// The kernel knows how long ago it last got data for a connection, in milliseconds. That costs a call, so it is made
// only when bytes may have waited.
MonoTime EventLoop::arrival_after_hold_up(StreamId stream, MonoTime at) const {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor(stream), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return at;
  // The kernel counts in ticks of its own: one is subtracted from the age, so that no answer looks faster than it was.
  const Duration age = std::chrono::milliseconds(info.tcpi_last_data_recv) - kernel_tick();
  const MonoTime came = at - std::max(age, Duration::zero());
  return came < held_until_ ? std::max(came, held_since_) : at;
}

MonoTime EventLoop::now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return MonoTime::from_ns(time.tv_sec * 1'000'000'000 + time.tv_nsec);
}

Result<std::unique_ptr<EventLoop>> make_event_loop(LoopBackend backend) {
  if (backend != LoopBackend::kEpoll) {
    auto loop = UringLoop::make();
    if (loop || backend == LoopBackend::kIoUring) return loop;
  }
  return EpollLoop::make();
}

}  // namespace hyperscale::load
