#include "load/loop/event_loop.h"

#include "load/loop/epoll_loop.h"
#include "load/loop/uring_loop.h"

#include <ctime>

namespace hyperscale::load {

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
