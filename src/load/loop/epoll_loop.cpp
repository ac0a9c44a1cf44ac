#include "load/loop/epoll_loop.h"

#include "base/check.h"
#include "base/errno_text.h"
#include "load/loop/socket_setup.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

constexpr std::uint32_t kWatchedSlot = UINT32_MAX;

std::uint64_t token(StreamId id) {
  return (std::uint64_t{id.generation} << 32) | id.slot;
}

StreamId id_of(std::uint64_t token) {
  return {static_cast<std::uint32_t>(token), static_cast<std::uint32_t>(token >> 32)};
}

}  // namespace

Result<std::unique_ptr<EventLoop>> EpollLoop::make() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return fail(ErrorCode::kUnavailable, fmt::format("epoll_create1: {}", errno_text(errno)));
  return std::make_unique<EpollLoop>(epoll);
}

EpollLoop::~EpollLoop() {
  streams_.for_each([](Stream& stream) { ::close(stream.fd); });
  ::close(epoll_);
}

StreamId EpollLoop::add(int fd, StreamEvents& events, bool connecting) {
  const std::uint32_t slot = streams_.take();
  const StreamId id{slot, streams_.generation(slot)};
  *find(id) = Stream{.fd = fd, .events = &events, .unsent = {}, .connecting = connecting};
  epoll_event interest{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.u64 = token(id)}};
  CHECK(::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &interest) == 0, "epoll_ctl: {}", errno_text(errno));
  return id;
}

StreamId EpollLoop::connect(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events, int& error) {
  const int fd = open_client_socket(to, options);
  if (fd < 0) {
    error = -fd;
    return {};
  }
  if (::connect(fd, to.get(), to.size()) != 0 && errno != EINPROGRESS) {
    error = errno;
    ::close(fd);
    return {};
  }
  return add(fd, events, true);
}

StreamId EpollLoop::open_datagram(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events,
                                  int& error) {
  const int fd = open_datagram_socket(to, options);
  if (fd < 0) {
    error = -fd;
    return {};
  }
  const StreamId id = add(fd, events, false);
  find(id)->datagram = true;
  follow_datagrams(id);
  return id;
}

// Level-triggered, one read per datagram: with edges another read would be needed to see that there is no second one.
void EpollLoop::follow_datagrams(StreamId id) {
  const Stream& stream = *find(id);
  epoll_event interest{.events = (stream.paused ? 0U : EPOLLIN) | (stream.unsent.empty() ? 0U : EPOLLOUT),
                       .data = {.u64 = token(id)}};
  CHECK(::epoll_ctl(epoll_, EPOLL_CTL_MOD, stream.fd, &interest) == 0, "epoll_ctl: {}", errno_text(errno));
}

StreamId EpollLoop::adopt(int fd, StreamEvents& events) {
  return add(fd, events, false);
}

void EpollLoop::set_events(StreamId id, StreamEvents& events) {
  if (Stream* stream = find(id)) stream->events = &events;
}

bool EpollLoop::send(StreamId id, ByteView bytes, Sending) {
  Stream* stream = find(id);
  CHECK(stream != nullptr && !stream->connecting && stream->unsent.empty(), "send on a stream that cannot take it");
  const ssize_t sent = ::send(stream->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(bytes.size())) return true;
  // epoll reports no event for a datagram that cannot be sent.
  if (stream->datagram && sent < 0 && errno != EAGAIN && errno != EINTR) {
    stream->send_error = errno;
    unread_.push_back(id);
    return true;
  }
  // epoll reports the error too; leaving the bytes unsent makes it surface in a callback, never in here.
  stream->unsent = bytes.subspan(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  stream->tracked = true;
  if (stream->datagram) follow_datagrams(id);
  return false;
}

std::size_t EpollLoop::unsent(StreamId id) const {
  const Stream* stream = streams_.find(id.slot, id.generation);
  if (stream == nullptr) return id == failing_ ? failing_unsent_ : 0;
  return stream->unsent.size();
}

void EpollLoop::pause(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  stream->paused = true;
  if (stream->datagram) follow_datagrams(id);
}

void EpollLoop::resume(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->paused) return;
  stream->paused = false;
  if (stream->datagram) return follow_datagrams(id);
  if (stream->readable) unread_.push_back(id);
}

void EpollLoop::shutdown_send(StreamId id) {
  if (Stream* stream = find(id)) ::shutdown(stream->fd, SHUT_WR);
}

void EpollLoop::close(StreamId id, Close how) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  close_socket(stream->fd, how);
  streams_.release(id.slot);
}

int EpollLoop::descriptor(StreamId id) const {
  const Stream* stream = streams_.find(id.slot, id.generation);
  return stream == nullptr ? -1 : stream->fd;
}

// Updates the descriptor's epoll interest from watched_.
void EpollLoop::follow(int fd, bool known) {
  const auto watched = watched_.find(fd);
  const bool reads = watched != watched_.end() && watched->second.readable;
  const bool writes = watched != watched_.end() && watched->second.writable;
  if (!reads && !writes) {
    if (watched != watched_.end()) watched_.erase(watched);
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
    return;
  }
  epoll_event interest{.events = (reads ? EPOLLIN : 0U) | (writes ? EPOLLOUT : 0U),
                       .data = {.u64 = token({kWatchedSlot, static_cast<std::uint32_t>(fd)})}};
  CHECK(::epoll_ctl(epoll_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &interest) == 0, "epoll_ctl: {}",
        errno_text(errno));
}

void EpollLoop::watch(int fd, std::function<void()> readable) {
  const bool known = watched_.contains(fd);
  watched_[fd].readable = std::move(readable);
  follow(fd, known);
}

void EpollLoop::unwatch(int fd) {
  const auto watched = watched_.find(fd);
  if (watched == watched_.end() || !watched->second.readable) return;
  watched->second.readable = nullptr;
  follow(fd, true);
}

void EpollLoop::watch_writable(int fd, std::function<void()> writable) {
  const bool known = watched_.contains(fd);
  watched_[fd].writable = std::move(writable);
  follow(fd, known);
}

void EpollLoop::unwatch_writable(int fd) {
  const auto watched = watched_.find(fd);
  if (watched == watched_.end() || !watched->second.writable) return;
  watched->second.writable = nullptr;
  follow(fd, true);
}

// An error or hang-up calls both handlers: their next system call returns it.
void EpollLoop::report_watched(int fd, std::uint32_t what) {
  auto watched = watched_.find(fd);
  if (watched != watched_.end() && watched->second.writable && (what & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    const auto writable = std::exchange(watched->second.writable, nullptr);
    follow(fd, true);
    writable();
    watched = watched_.find(fd);
  }
  if (watched == watched_.end() || !watched->second.readable || (what & ~std::uint32_t{EPOLLOUT}) == 0) return;
  const auto readable = watched->second.readable;  // it may unwatch itself
  readable();
}

void EpollLoop::run_once() {
  const bool must_poll = !unread_.empty();
  const MonoTime next = timers().next();
  timespec patience{};
  const timespec* limit = nullptr;
  if (must_poll || next != MonoTime::max()) {
    const Duration left = must_poll ? Duration::zero() : std::max(next - now(), Duration::zero());
    patience = {left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    limit = &patience;
  }
  const int count = wait(limit);
  for (int i = 0; i < count; ++i) {
    const StreamId id = id_of(ready_[static_cast<std::size_t>(i)].data.u64);
    if (id.slot != kWatchedSlot) {
      handle(id, ready_[static_cast<std::size_t>(i)].events);
      continue;
    }
    report_watched(static_cast<int>(id.generation), ready_[static_cast<std::size_t>(i)].events);
  }
  if (must_poll) {
    std::vector<StreamId> again;
    again.swap(unread_);
    for (const StreamId id : again) {
      const Stream* stream = find(id);
      if (stream != nullptr && stream->send_error != 0) {
        failed(id, stream->send_error);
      } else {
        read(id);
      }
    }
  }
  timers().fire_due(now());
}

int EpollLoop::wait(const timespec* limit) {
  if (!old_kernel_) {
    const int count = ::epoll_pwait2(epoll_, ready_.data(), kEventsMax, limit, nullptr);
    if (count >= 0 || errno == EINTR) return count;
    CHECK(errno == ENOSYS, "epoll_pwait2: {}", errno_text(errno));
    old_kernel_ = true;
  }
  // Before Linux 5.11 only ppoll has a resolution below one millisecond.
  pollfd all{.fd = epoll_, .events = POLLIN, .revents = 0};
  ::ppoll(&all, 1, limit, nullptr);
  return ::epoll_wait(epoll_, ready_.data(), kEventsMax, 0);
}

void EpollLoop::handle(StreamId id, std::uint32_t what) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  if (stream->connecting) {
    if ((what & (EPOLLOUT | EPOLLERR | EPOLLHUP)) == 0) return;
    if (!finish_connect(id, *stream)) return;
    stream = find(id);
    if (stream == nullptr) return;
  }
  if ((what & EPOLLOUT) != 0 && !stream->unsent.empty()) {
    write(id, *stream);
    stream = find(id);
    if (stream == nullptr) return;
  }
  if ((what & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) != 0) {
    stream->readable = true;
    if ((what & (EPOLLRDHUP | EPOLLERR | EPOLLHUP)) != 0) stream->hung_up = true;
    read(id);
  }
}

bool EpollLoop::finish_connect(StreamId id, Stream& stream) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(stream.fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    failed(id, error);
    return false;
  }
  stream.connecting = false;
  stream.events->on_connected();
  return true;
}

void EpollLoop::read(StreamId id) {
  for (int turn = 0; turn < kReadsMax; ++turn) {
    Stream* stream = find(id);
    if (stream == nullptr || stream->paused || stream->ended || !stream->readable) return;
    const ssize_t got = ::recv(stream->fd, buffer_.data(), buffer_.size(), 0);
    if (got > 0 || (got == 0 && stream->datagram)) {
      const auto size = static_cast<std::size_t>(got);
      // A read that does not fill the buffer has emptied the socket; the next byte makes a new edge. Datagram sockets
      // are level-triggered: the kernel reports them again while one is left.
      if (size < buffer_.size() && !stream->hung_up) stream->readable = false;
      stream->events->on_data(ByteView(buffer_.data(), size));
      continue;
    }
    if (got == 0) {
      stream->ended = true;
      stream->events->on_end();
      return;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return failed(id, errno);
    stream->readable = false;
    return;
  }
  unread_.push_back(id);
}

void EpollLoop::write(StreamId id, Stream& stream) {
  const ssize_t sent = ::send(stream.fd, stream.unsent.data(), stream.unsent.size(), MSG_NOSIGNAL);
  if (sent < 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    return failed(id, errno);
  }
  stream.unsent = stream.unsent.subspan(static_cast<std::size_t>(sent));
  if (stream.datagram) follow_datagrams(id);
  if (stream.unsent.empty() && std::exchange(stream.tracked, false)) stream.events->on_sent();
}

void EpollLoop::failed(StreamId id, int error) {
  Stream* stream = find(id);
  StreamEvents* events = stream->events;
  failing_ = id;
  failing_unsent_ = stream->unsent.size();
  ::close(stream->fd);
  streams_.release(id.slot);
  events->on_failed(error);
}

}  // namespace hyperscale::load
