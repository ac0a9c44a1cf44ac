// bare_uring CONNECTIONS SECONDS HOST PORT: what an HTTP/1.1 generator on io_uring costs at least. Nothing but the
// ring: each connection sends a fixed request, and the next one when as many bytes came back as the first answer had.
// It parses, measures and records nothing and follows no schedule. bench/peers.py runs it beside Hyperscale as the
// limit.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <liburing.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr unsigned kEntries = 4096;
constexpr unsigned kBuffers = 1024;
constexpr std::size_t kBufferBytes = 4096;
constexpr int kGroup = 1;
constexpr std::uint64_t kSendMark = std::uint64_t{1} << 32;

[[noreturn]] void stop(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Connection {
  int fd = -1;
  std::size_t received = 0;
};

int connected(const sockaddr_in& to) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) stop("connect");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

std::size_t answer_bytes(int fd, const std::string& request) {
  std::array<char, 65536> buffer{};
  if (::send(fd, request.data(), request.size(), 0) < 0) stop("send");
  ::usleep(200'000);
  const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
  if (got <= 0) stop("recv");
  return static_cast<std::size_t>(got);
}

class BareLoop {
 public:
  BareLoop(std::string request, std::size_t answer) : request_(std::move(request)), answer_(answer) {
    io_uring_params params{};
    params.flags =
        IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE;
    params.cq_entries = 4 * kEntries;
    if (io_uring_queue_init_params(kEntries, &ring_, &params) < 0) stop("io_uring");
    io_uring_register_ring_fd(&ring_);
    void* memory = nullptr;
    if (::posix_memalign(&memory, 4096, kBuffers * sizeof(io_uring_buf)) != 0) stop("memory");
    buffers_ring_ = static_cast<io_uring_buf_ring*>(memory);
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<std::uintptr_t>(memory);
    registration.ring_entries = kBuffers;
    registration.bgid = kGroup;
    if (io_uring_register_buf_ring(&ring_, &registration, 0) < 0) stop("buffer ring");
    io_uring_buf_ring_init(buffers_ring_);
    bytes_.resize(kBuffers * kBufferBytes);
    for (unsigned i = 0; i < kBuffers; ++i) give_back(i, i);
    io_uring_buf_ring_advance(buffers_ring_, kBuffers);
  }

  void add(int fd) {
    connections_.push_back({.fd = fd});
    const auto index = static_cast<std::uint32_t>(connections_.size() - 1);
    receive(index);
    send(index);
  }

  std::uint64_t run(std::chrono::seconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      if (io_uring_submit_and_wait(&ring_, 1) < 0) stop("submit");
      unsigned head = 0;
      unsigned seen = 0;
      unsigned returned = 0;
      io_uring_cqe* entry = nullptr;
      io_uring_for_each_cqe(&ring_, head, entry) {
        ++seen;
        if ((entry->user_data & kSendMark) != 0) stop("a request that was not sent");
        const auto index = static_cast<std::uint32_t>(entry->user_data);
        if ((entry->flags & IORING_CQE_F_BUFFER) != 0) give_back(entry->flags >> IORING_CQE_BUFFER_SHIFT, returned++);
        if (entry->res <= 0 && entry->res != -ENOBUFS) stop("a connection that ended");
        if ((entry->flags & IORING_CQE_F_MORE) == 0) receive(index);
        if (entry->res <= 0) continue;
        Connection& connection = connections_[index];
        connection.received += static_cast<std::size_t>(entry->res);
        if (connection.received < answer_) continue;
        connection.received = 0;
        ++answered_;
        send(index);
      }
      io_uring_buf_ring_advance(buffers_ring_, static_cast<int>(returned));
      io_uring_cq_advance(&ring_, seen);
    }
    return answered_;
  }

 private:
  io_uring_sqe* free_entry() {
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (entry == nullptr) {
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    return entry;
  }
  // `place`: how many were given back since the ring was last told.
  void give_back(unsigned index, unsigned place) {
    io_uring_buf_ring_add(buffers_ring_, bytes_.data() + index * kBufferBytes, kBufferBytes,
                          static_cast<unsigned short>(index), io_uring_buf_ring_mask(kBuffers),
                          static_cast<int>(place));
  }
  void receive(std::uint32_t index) {
    io_uring_sqe* entry = free_entry();
    io_uring_prep_recv_multishot(entry, connections_[index].fd, nullptr, 0, 0);
    entry->flags |= IOSQE_BUFFER_SELECT;
    entry->buf_group = kGroup;
    io_uring_sqe_set_data64(entry, index);
  }
  void send(std::uint32_t index) {
    io_uring_sqe* entry = free_entry();
    io_uring_prep_send(entry, connections_[index].fd, request_.data(), request_.size(), MSG_NOSIGNAL | MSG_WAITALL);
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    io_uring_sqe_set_data64(entry, kSendMark | index);
  }

  io_uring ring_{};
  io_uring_buf_ring* buffers_ring_ = nullptr;
  std::vector<char> bytes_;
  std::vector<Connection> connections_;
  const std::string request_;
  const std::size_t answer_;
  std::uint64_t answered_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: bare_uring CONNECTIONS SECONDS HOST PORT\n");
    return 2;
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[4])));
  if (::inet_pton(AF_INET, argv[3], &to.sin_addr) != 1) stop("address");
  const std::string request = std::string("GET / HTTP/1.1\r\nHost: ") + argv[3] + ":" + argv[4] + "\r\n\r\n";
  const int first = connected(to);
  BareLoop loop(request, answer_bytes(first, request));
  loop.add(first);
  for (int i = 1; i < std::atoi(argv[1]); ++i) loop.add(connected(to));
  const std::uint64_t answered = loop.run(std::chrono::seconds(std::atoi(argv[2])));
  std::printf("%llu answers\n", static_cast<unsigned long long>(answered));
  return 0;
}
