#include "target/datagram_echo.h"

#include "base/duration_text.h"
#include "target/limits.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace hyperscale::target {
namespace {

constexpr int kDatagramsPerTurn = 64;
constexpr std::size_t kBufferBytes = 64 << 10;
constexpr std::string_view kDelay = "DELAY ";
constexpr std::string_view kNever = "NEVER";

// The time of "DELAY 200ms text"; zero for other datagrams.
Duration delay_of(std::string_view datagram) {
  if (!datagram.starts_with(kDelay)) return {};
  datagram.remove_prefix(kDelay.size());
  const auto time = parse_duration(datagram.substr(0, datagram.find_first_of(" \r\n")));
  return time ? std::min(*time, kDelayMax) : Duration::zero();
}

}  // namespace

DatagramEcho::DatagramEcho(load::EventLoop& loop, CoreCounters& counters, int socket)
    : loop_(loop),
      counters_(counters),
      socket_(socket),
      buffer_(kBufferBytes),
      due_([](void* self) { static_cast<DatagramEcho*>(self)->send_due(); }, this) {
  loop_.watch(socket_, [this] { read(); });
}

DatagramEcho::~DatagramEcho() {
  loop_.unwatch(socket_);
  loop_.unwatch_writable(socket_);
}

void DatagramEcho::read() {
  for (int i = 0; i < kDatagramsPerTurn && held_.empty(); ++i) {
    Peer from{};
    from.size = sizeof from.address;
    const ssize_t got = ::recvfrom(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT,
                                   reinterpret_cast<sockaddr*>(&from.address), &from.size);
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) continue;  // the error of an earlier answer: its peer is gone
    take({buffer_.data(), static_cast<std::size_t>(got)}, from);
  }
}

void DatagramEcho::take(std::string_view datagram, const Peer& from) {
  counters_.count_datagram();
  if (datagram.starts_with(kNever)) return;
  const Duration delay = delay_of(datagram);
  if (delay == Duration::zero()) return send_or_hold(datagram, from);
  if (delayed_.size() >= kDelayedDatagramsMax) return;
  const MonoTime at = load::EventLoop::now() + delay;
  delayed_.emplace(at, Held{.to = from, .bytes = std::string(datagram)});
  loop_.timers().set(due_, delayed_.begin()->first);
}

bool DatagramEcho::send(std::string_view datagram, const Peer& to) const {
  const ssize_t sent = ::sendto(socket_, datagram.data(), datagram.size(), MSG_DONTWAIT,
                                reinterpret_cast<const sockaddr*>(&to.address), to.size);
  return sent >= 0 || (errno != EAGAIN && errno != ENOBUFS);
}

void DatagramEcho::send_or_hold(std::string_view datagram, const Peer& to) {
  if (held_.empty() && send(datagram, to)) return;
  if (held_.empty()) {
    loop_.unwatch(socket_);
    loop_.watch_writable(socket_, [this] { send_held(); });
  }
  held_.push_back({.to = to, .bytes = std::string(datagram)});
}

void DatagramEcho::send_held() {
  std::size_t sent = 0;
  while (sent < held_.size() && send(held_[sent].bytes, held_[sent].to)) ++sent;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(sent));
  if (!held_.empty()) return loop_.watch_writable(socket_, [this] { send_held(); });
  loop_.watch(socket_, [this] { read(); });
}

void DatagramEcho::send_due() {
  const MonoTime now = load::EventLoop::now();
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    const Held held = std::move(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    send_or_hold(held.bytes, held.to);
  }
  if (!delayed_.empty()) loop_.timers().set(due_, delayed_.begin()->first);
}

}  // namespace hyperscale::target
