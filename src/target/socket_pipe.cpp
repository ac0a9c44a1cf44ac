#include "target/socket_pipe.h"

#include "target/limits.h"

#include <utility>

namespace hyperscale::target {

using load::EventLoop;

SocketPipe::SocketPipe(EventLoop& loop, PipeUser& user)
    : loop_(loop),
      user_(user),
      linger_([](void* self) { static_cast<SocketPipe*>(self)->close(EventLoop::Close::kOrderly); }, this) {}

SocketPipe::~SocketPipe() {
  if (open_) loop_.close(stream_);
}

void SocketPipe::open(int fd) {
  open_ = true;
  stream_ = loop_.adopt(fd, *this);
}

bool SocketPipe::send(ByteView bytes) {
  if (!open_ || finished_) return true;
  return loop_.send(stream_, bytes, load::Sending::kTracked);
}

void SocketPipe::pause() {
  if (open_ && !finished_) loop_.pause(stream_);
}

void SocketPipe::resume() {
  if (open_) loop_.resume(stream_);
}

void SocketPipe::finish() {
  if (!open_ || std::exchange(finished_, true)) return;
  if (peer_done_) return close(EventLoop::Close::kOrderly);
  loop_.shutdown_send(stream_);
  loop_.resume(stream_);
  loop_.timers().set(linger_, EventLoop::now() + kLingerMax);
}

void SocketPipe::reset() {
  close(EventLoop::Close::kReset);
}

void SocketPipe::on_data(ByteView bytes) {
  if (!finished_) user_.on_pipe_bytes(bytes);
}

void SocketPipe::on_sent() {
  if (!finished_) user_.on_pipe_sent();
}

void SocketPipe::on_end() {
  peer_done_ = true;
  if (finished_) {
    close(EventLoop::Close::kOrderly);
  } else {
    user_.on_pipe_end();
  }
}

void SocketPipe::on_failed(int) {
  closed();
}

void SocketPipe::close(EventLoop::Close how) {
  if (!open_) return;
  loop_.close(stream_, how);
  closed();
}

void SocketPipe::closed() {
  if (!std::exchange(open_, false)) return;
  loop_.timers().cancel(linger_);
  user_.on_pipe_closed();
}

}  // namespace hyperscale::target
