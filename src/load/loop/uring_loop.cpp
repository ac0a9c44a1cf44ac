#include "load/loop/uring_loop.h"

#include "base/check.h"
#include "base/errno_text.h"
#include "load/loop/socket_setup.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

// User data of a completion: operation in the top byte, generation (24 bits suffice for a late completion), slot.
constexpr unsigned kGathered = 16;
constexpr std::uint32_t kGenerationMask = 0xffffff;

// All operations that the loop submits; the kernel refuses others. A new operation has to be added here.
constexpr std::uint8_t kOperations[] = {IORING_OP_CONNECT, IORING_OP_RECV, IORING_OP_SEND, IORING_OP_POLL_ADD,
                                        IORING_OP_ASYNC_CANCEL};

std::uint64_t token(std::uint8_t op, std::uint32_t slot, std::uint32_t generation) {
  return (std::uint64_t{op} << 56) | (std::uint64_t{generation & kGenerationMask} << 32) | slot;
}

}  // namespace

Result<std::unique_ptr<EventLoop>> UringLoop::make() {
  auto loop = std::make_unique<UringLoop>();
  if (auto opened = loop->open_ring(); !opened) return fail(opened.error());
  return loop;
}

Status UringLoop::open_ring() {
  io_uring_params params{};
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL |
                 IORING_SETUP_CQSIZE | IORING_SETUP_R_DISABLED;
  params.cq_entries = kCompletions;
  if (const int error = io_uring_queue_init_params(kSubmissions, &ring_, &params); error < 0)
    return fail(ErrorCode::kUnavailable, fmt::format("io_uring: {}", errno_text(-error)));
  open_ = true;
  constexpr unsigned kNeeded = IORING_FEAT_CQE_SKIP | IORING_FEAT_EXT_ARG | IORING_FEAT_NODROP;
  if ((params.features & kNeeded) != kNeeded) return fail(ErrorCode::kUnavailable, "io_uring: this kernel is too old");
  io_uring_register_ring_fd(&ring_);

  auto streams = add_buffers(kBufferGroup, kBuffers);
  if (!streams) return fail(streams.error());
  buffer_ring_ = *streams;
  buffers_.resize(kBuffers * kBufferBytes);
  for (unsigned i = 0; i < kBuffers; ++i) give_back(i);
  auto datagrams = add_buffers(kDatagramGroup, kDatagramBuffers);
  if (!datagrams) return fail(datagrams.error());
  datagram_ring_ = *datagrams;
  datagram_buffers_ = std::make_unique_for_overwrite<std::uint8_t[]>(kDatagramBuffers * kDatagramBufferBytes);
  for (unsigned i = 0; i < kDatagramBuffers; ++i) give_back_datagram(i);
  return restrict_ring();
}

Result<io_uring_buf_ring*> UringLoop::add_buffers(int group, unsigned count) {
  void* memory = nullptr;
  if (::posix_memalign(&memory, 4096, count * sizeof(io_uring_buf)) != 0)
    return fail(ErrorCode::kUnavailable, "io_uring: no memory for the buffer ring");
  auto* const ring = static_cast<io_uring_buf_ring*>(memory);
  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(memory);
  registration.ring_entries = count;
  registration.bgid = static_cast<std::uint16_t>(group);
  if (const int error = io_uring_register_buf_ring(&ring_, &registration, 0); error < 0) {
    std::free(memory);
    return fail(ErrorCode::kUnavailable, fmt::format("io_uring buffer ring: {}", errno_text(-error)));
  }
  io_uring_buf_ring_init(ring);
  return ring;
}

// A ring can open files and more: this restricts it to the operations of this loop, whichever code writes into its
// queue (the executor's sandbox relies on it).
Status UringLoop::restrict_ring() {
  std::array<io_uring_restriction, std::size(kOperations) + 1> rules{};
  for (std::size_t i = 0; i < std::size(kOperations); ++i) {
    rules[i].opcode = IORING_RESTRICTION_SQE_OP;
    rules[i].sqe_op = kOperations[i];
  }
  rules.back().opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED;
  rules.back().sqe_flags = IOSQE_BUFFER_SELECT | IOSQE_CQE_SKIP_SUCCESS;
  // The shared library of Debian 12 does not export its functions for these two calls.
  if (::syscall(SYS_io_uring_register, ring_.ring_fd, IORING_REGISTER_RESTRICTIONS, rules.data(), rules.size()) < 0)
    return fail(ErrorCode::kUnavailable, fmt::format("io_uring restrictions: {}", errno_text(errno)));
  if (::syscall(SYS_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0) < 0)
    return fail(ErrorCode::kUnavailable, fmt::format("io_uring: {}", errno_text(errno)));
  return {};
}

UringLoop::~UringLoop() {
  if (open_) io_uring_queue_exit(&ring_);
  std::free(buffer_ring_);
  std::free(datagram_ring_);
  streams_.for_each([](Stream& stream) { ::close(stream.fd); });
  for (const int fd : closing_) ::close(fd);
}

io_uring_sqe* UringLoop::free_entry() {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  while (entry == nullptr) {
    const int submitted = io_uring_submit(&ring_);
    CHECK(submitted >= 0 || submitted == -EINTR || submitted == -EBUSY || submitted == -EAGAIN, "io_uring_submit: {}",
          errno_text(-submitted));
    entry = io_uring_get_sqe(&ring_);
  }
  return entry;
}

void UringLoop::belongs_to(io_uring_sqe* entry, Op op, std::uint32_t slot, std::uint32_t generation) {
  io_uring_sqe_set_data64(entry, token(static_cast<std::uint8_t>(op), slot, generation));
}

StreamId UringLoop::add(int fd, StreamEvents& events) {
  const std::uint32_t slot = streams_.take();
  const StreamId id{slot, streams_.generation(slot)};
  Stream& stream = *find(id);
  stream.fd = fd;
  stream.events = &events;
  return id;
}

StreamId UringLoop::connect(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events, int& error) {
  const int fd = open_client_socket(to, options);
  if (fd < 0) {
    error = -fd;
    return {};
  }
  const StreamId id = add(fd, events);
  Stream& stream = *find(id);
  stream.to = to;
  stream.connecting = true;
  io_uring_sqe* entry = free_entry();
  io_uring_prep_connect(entry, fd, stream.to.get(), stream.to.size());
  belongs_to(entry, Op::kConnect, id.slot, id.generation);
  return id;
}

StreamId UringLoop::open_datagram(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events,
                                  int& error) {
  const int fd = open_datagram_socket(to, options);
  if (fd < 0) {
    error = -fd;
    return {};
  }
  const StreamId id = add(fd, events);
  Stream& stream = *find(id);
  stream.datagram = true;
  receive(id, stream);
  return id;
}

StreamId UringLoop::adopt(int fd, StreamEvents& events) {
  const StreamId id = add(fd, events);
  receive(id, *find(id));
  return id;
}

void UringLoop::receive(StreamId id, Stream& stream) {
  io_uring_sqe* entry = free_entry();
  io_uring_prep_recv_multishot(entry, stream.fd, nullptr, 0, 0);
  entry->flags |= IOSQE_BUFFER_SELECT;
  entry->buf_group = stream.datagram ? kDatagramGroup : kBufferGroup;
  belongs_to(entry, stream.datagram ? Op::kReceiveDatagram : Op::kReceive, id.slot, id.generation);
  stream.receiving = true;
}

void UringLoop::set_events(StreamId id, StreamEvents& events) {
  if (Stream* stream = find(id)) stream->events = &events;
}

bool UringLoop::send(StreamId id, ByteView bytes, Sending sending) {
  Stream* stream = find(id);
  CHECK(stream != nullptr && !stream->connecting && !stream->sending, "send on a stream that cannot take it");
  if (sending == Sending::kOnce) {
    io_uring_sqe* entry = free_entry();
    io_uring_prep_send(entry, stream->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_WAITALL);
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    belongs_to(entry, Op::kSendOnce, id.slot, id.generation);
    return true;
  }
  if (bytes.size() <= kBlockBytes) {
    const std::uint32_t index = take_block();
    Block& block = *blocks_[index];
    std::memcpy(block.bytes.data(), bytes.data(), bytes.size());
    block.stream = id;
    block.size = bytes.size();
    block.sent = 0;
    stream->sending = true;
    send_block(index);
    return false;
  }
  const ssize_t sent = ::send(stream->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(bytes.size())) return true;
  // Also after an error: the next attempt, from inside the loop, reports it.
  stream->unsent = bytes.subspan(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  stream->sending = true;
  wait_writable(id, *stream);
  return false;
}

std::uint32_t UringLoop::take_block() {
  if (free_blocks_.empty()) {
    blocks_.push_back(std::make_unique<Block>());
    free_blocks_.reserve(blocks_.size());
    return static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  const std::uint32_t index = free_blocks_.back();
  free_blocks_.pop_back();
  return index;
}

void UringLoop::send_block(std::uint32_t index) {
  Block& block = *blocks_[index];
  const Stream& stream = *find(block.stream);
  io_uring_sqe* entry = free_entry();
  io_uring_prep_send(entry, stream.fd, block.bytes.data() + block.sent, block.size - block.sent,
                     MSG_NOSIGNAL | MSG_WAITALL);
  belongs_to(entry, Op::kSendBlock, index, 0);
}

void UringLoop::wait_writable(StreamId id, const Stream& stream) {
  io_uring_sqe* entry = free_entry();
  io_uring_prep_poll_add(entry, stream.fd, POLLOUT);
  belongs_to(entry, Op::kWritable, id.slot, id.generation);
}

std::size_t UringLoop::unsent(StreamId id) const {
  const Stream* stream = streams_.find(id.slot, id.generation);
  if (stream == nullptr) return id == failing_ ? failing_unsent_ : 0;
  return stream->unsent.size();
}

void UringLoop::pause(StreamId id) {
  if (Stream* stream = find(id)) stream->paused = true;
}

void UringLoop::resume(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->paused) return;
  stream->paused = false;
  hand_out_held(id);
}

// Delivers what arrived while the stream was paused, datagrams one by one. A callback may pause the stream again.
void UringLoop::hand_out_held(StreamId id) {
  Stream* stream = find(id);
  if (stream->held.empty() && stream->held_sizes.empty()) return;
  const std::string held = std::exchange(stream->held, {});
  if (!stream->datagram) return deliver(id, as_bytes(held));
  const std::vector<std::size_t> sizes = std::exchange(stream->held_sizes, {});
  std::size_t at = 0;
  for (const std::size_t size : sizes) {
    if (find(id) == nullptr) return;
    deliver(id, as_bytes(held).subspan(at, size));
    at += size;
  }
}

void UringLoop::shutdown_send(StreamId id) {
  if (Stream* stream = find(id)) ::shutdown(stream->fd, SHUT_WR);
}

void UringLoop::close(StreamId id, Close how) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  const int fd = stream->fd;
  const bool busy = stream->receiving || stream->connecting || stream->sending;
  streams_.release(id.slot);
  if (!busy) return close_socket(fd, how);
  if (how == Close::kReset) {
    const linger at_once{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  // A pending request keeps the socket open: cancel all, and close after the cancellation has been submitted.
  io_uring_sqe* entry = free_entry();
  io_uring_prep_cancel_fd(entry, fd, IORING_ASYNC_CANCEL_ALL);
  entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
  belongs_to(entry, Op::kCancel, 0, 0);
  closing_.push_back(fd);
}

int UringLoop::descriptor(StreamId id) const {
  const Stream* stream = streams_.find(id.slot, id.generation);
  return stream == nullptr ? -1 : stream->fd;
}

void UringLoop::watch(int fd, std::function<void()> readable) {
  unwatch(fd);
  Watched& watched = watched_[fd];
  watched = {std::move(readable), ++watch_generation_ & kGenerationMask};
  poll_for(fd, POLLIN, Op::kWatch, watched.generation);
}

void UringLoop::unwatch(int fd) {
  forget_watched(watched_, fd, Op::kWatch);
}

void UringLoop::watch_writable(int fd, std::function<void()> writable) {
  unwatch_writable(fd);
  Watched& watched = watched_writable_[fd];
  watched = {std::move(writable), ++watch_generation_ & kGenerationMask};
  poll_for(fd, POLLOUT, Op::kWatchWritable, watched.generation);
}

void UringLoop::unwatch_writable(int fd) {
  forget_watched(watched_writable_, fd, Op::kWatchWritable);
}

void UringLoop::poll_for(int fd, short events, Op op, std::uint32_t generation) {
  io_uring_sqe* entry = free_entry();
  io_uring_prep_poll_add(entry, fd, static_cast<unsigned>(events));
  belongs_to(entry, op, static_cast<std::uint32_t>(fd), generation);
}

void UringLoop::forget_watched(std::map<int, Watched>& from, int fd, Op op) {
  const auto watched = from.find(fd);
  if (watched == from.end()) return;
  io_uring_sqe* entry = free_entry();
  io_uring_prep_cancel64(
      entry, token(static_cast<std::uint8_t>(op), static_cast<std::uint32_t>(fd), watched->second.generation), 0);
  entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
  belongs_to(entry, Op::kCancel, 0, 0);
  from.erase(watched);
}

void UringLoop::run_once() {
  const MonoTime next = timers().next();
  __kernel_timespec patience{};
  __kernel_timespec* limit = nullptr;
  if (next != MonoTime::max()) {
    const Duration left = std::max(next - now(), Duration::zero());
    patience = {left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    limit = &patience;
  }
  // Right after completions more will follow soon: a sleep for each would cost more than handling them.
  const bool gathers = gained_ > 0 && may_gather();
  if (gathers && (limit == nullptr || next - now() > kGatherTime)) {
    patience = {0, kGatherTime.count()};
    limit = &patience;
  }
  io_uring_cqe* first = nullptr;
  if (io_uring_cq_ready(&ring_) > 0) {
    io_uring_submit(&ring_);
  } else {
    const int waited = io_uring_submit_and_wait_timeout(&ring_, &first, gathers ? kGathered : 1, limit, nullptr);
    CHECK(waited >= 0 || waited == -ETIME || waited == -EINTR || waited == -EAGAIN || waited == -EBUSY,
          "io_uring wait: {}", errno_text(-waited));
  }
  for (const int fd : closing_) ::close(fd);
  closing_.clear();

  std::array<io_uring_cqe*, kBatch> ready{};
  const unsigned count = io_uring_peek_batch_cqe(&ring_, ready.data(), kBatch);
  for (unsigned i = 0; i < count; ++i) {
    const io_uring_cqe completion = *ready[i];
    handle(completion);
  }
  io_uring_cq_advance(&ring_, count);
  gained_ = count;
  timers().fire_due(now());
}

void UringLoop::handle(const io_uring_cqe& completion) {
  const auto op = static_cast<Op>(completion.user_data >> 56);
  const auto generation = static_cast<std::uint32_t>(completion.user_data >> 32) & kGenerationMask;
  const auto slot = static_cast<std::uint32_t>(completion.user_data);
  if (op == Op::kSendBlock) return on_block_sent(slot, completion.res);
  if (op >= Op::kWatch) {  // of no stream
    if (op == Op::kWatch) on_watch(static_cast<int>(slot), generation);
    if (op == Op::kWatchWritable) on_watch_writable(static_cast<int>(slot), generation);
    return;
  }
  const StreamId id = streams_.recent<StreamId>(slot, generation, kGenerationMask);
  switch (op) {
    case Op::kConnect:
      return on_connect(id, completion.res);
    case Op::kReceive:
      return on_receive(id, completion);
    case Op::kReceiveDatagram:
      return on_datagram(id, completion);
    case Op::kSendOnce:  // only failures are reported
      if (find(id) != nullptr) failed(id, completion.res < 0 ? -completion.res : EPIPE);
      return;
    case Op::kWritable:
      return on_writable(id);
    default:
      UNREACHABLE("operation {}", static_cast<int>(op));
  }
}

void UringLoop::on_connect(StreamId id, int result) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  if (result < 0) return failed(id, -result);
  stream->connecting = false;
  receive(id, *stream);
  stream->events->on_connected();
}

void UringLoop::on_receive(StreamId id, const io_uring_cqe& completion) {
  Stream* stream = find(id);
  const bool goes_on = (completion.flags & IORING_CQE_F_MORE) != 0;
  if (stream != nullptr && !goes_on) stream->receiving = false;
  if (completion.res > 0) {
    const unsigned buffer = completion.flags >> IORING_CQE_BUFFER_SHIFT;
    if (stream != nullptr)
      deliver(id, ByteView(buffers_.data() + buffer * kBufferBytes, static_cast<std::size_t>(completion.res)));
    give_back(buffer);
  } else if (stream != nullptr && completion.res == 0) {
    return end_of(id);
  } else if (stream != nullptr && completion.res != -ENOBUFS && completion.res != -EINTR && completion.res != -EAGAIN) {
    return failed(id, -completion.res);
  }
  if (goes_on) return;
  stream = find(id);
  if (stream != nullptr && !stream->ended && !stream->receiving) receive(id, *stream);
}

// A datagram without bytes looks like the end of a stream and stops the multishot receive, which is then restarted.
void UringLoop::on_datagram(StreamId id, const io_uring_cqe& completion) {
  Stream* stream = find(id);
  const bool goes_on = (completion.flags & IORING_CQE_F_MORE) != 0;
  const bool has_buffer = (completion.flags & IORING_CQE_F_BUFFER) != 0;
  const unsigned buffer = has_buffer ? completion.flags >> IORING_CQE_BUFFER_SHIFT : 0;
  if (stream != nullptr && !goes_on) stream->receiving = false;
  if (stream != nullptr && completion.res >= 0)
    deliver(id, ByteView(datagram_buffers_.get() + buffer * kDatagramBufferBytes,
                         static_cast<std::size_t>(completion.res)));
  if (has_buffer) give_back_datagram(buffer);
  stream = find(id);
  if (stream == nullptr) return;
  if (completion.res < 0 && completion.res != -ENOBUFS && completion.res != -EINTR && completion.res != -EAGAIN)
    return failed(id, -completion.res);
  if (!goes_on && !stream->receiving) receive(id, *stream);
}

void UringLoop::deliver(StreamId id, ByteView bytes) {
  Stream* stream = find(id);
  if (!stream->paused) return stream->events->on_data(bytes);
  stream->held.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (stream->datagram) stream->held_sizes.push_back(bytes.size());
}

void UringLoop::end_of(StreamId id) {
  Stream* stream = find(id);
  stream->ended = true;
  if (!stream->held.empty()) {
    stream->paused = false;
    const std::string held = std::exchange(stream->held, {});
    stream->events->on_data(as_bytes(held));
    stream = find(id);
    if (stream == nullptr) return;
  }
  stream->events->on_end();
}

void UringLoop::on_block_sent(std::uint32_t index, int result) {
  Block& block = *blocks_[index];
  Stream* stream = find(block.stream);
  if (stream != nullptr && result >= 0) {
    block.sent += static_cast<std::size_t>(result);
    if (block.sent < block.size) return send_block(index);
  }
  const StreamId id = block.stream;
  free_blocks_.push_back(index);
  if (stream == nullptr) return;
  stream->sending = false;
  if (result < 0) {
    stream->unsent = ByteView(block.bytes).subspan(block.sent, block.size - block.sent);
    return failed(id, -result);
  }
  stream->events->on_sent();
}

void UringLoop::on_writable(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->unsent.empty()) return;
  const ssize_t sent = ::send(stream->fd, stream->unsent.data(), stream->unsent.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return failed(id, errno);
  stream->unsent = stream->unsent.subspan(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  if (!stream->unsent.empty()) return wait_writable(id, *stream);
  stream->sending = false;
  stream->events->on_sent();
}

void UringLoop::on_watch(int fd, std::uint32_t generation) {
  const auto found = watched_.find(fd);
  if (found == watched_.end() || found->second.generation != generation) return;
  const auto readable = found->second.ready;  // it may unwatch itself
  readable();
  const auto still = watched_.find(fd);
  if (still == watched_.end() || still->second.generation != generation) return;
  poll_for(fd, POLLIN, Op::kWatch, generation);
}

void UringLoop::on_watch_writable(int fd, std::uint32_t generation) {
  const auto found = watched_writable_.find(fd);
  if (found == watched_writable_.end() || found->second.generation != generation) return;
  const auto writable = std::move(found->second.ready);
  watched_writable_.erase(found);
  writable();
}

void UringLoop::give_back(unsigned buffer) {
  io_uring_buf_ring_add(buffer_ring_, buffers_.data() + buffer * kBufferBytes, kBufferBytes,
                        static_cast<unsigned short>(buffer), io_uring_buf_ring_mask(kBuffers), 0);
  io_uring_buf_ring_advance(buffer_ring_, 1);
}

void UringLoop::give_back_datagram(unsigned buffer) {
  io_uring_buf_ring_add(datagram_ring_, datagram_buffers_.get() + buffer * kDatagramBufferBytes, kDatagramBufferBytes,
                        static_cast<unsigned short>(buffer), io_uring_buf_ring_mask(kDatagramBuffers), 0);
  io_uring_buf_ring_advance(datagram_ring_, 1);
}

void UringLoop::failed(StreamId id, int error) {
  StreamEvents* events = find(id)->events;
  failing_ = id;
  failing_unsent_ = find(id)->unsent.size();
  close(id, Close::kOrderly);
  events->on_failed(error);
}

}  // namespace hyperscale::load
