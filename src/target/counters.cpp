#include "target/counters.h"

#include "base/append_format.h"

namespace hyperscale::target {

Counters& Counters::operator+=(const Counters& other) {
  requests += other.requests;
  http1 += other.http1;
  http2 += other.http2;
  body_bytes += other.body_bytes;
  bad_requests += other.bad_requests;
  connections += other.connections;
  accepted += other.accepted;
  tcp += other.tcp;
  tcp_connections += other.tcp_connections;
  udp += other.udp;
  return *this;
}

void Counters::append_json(std::string& out) const {
  append_format(
      out,
      R"({{"requests":{},"http1":{},"http2":{},"body_bytes":{},"bad_requests":{},"connections":{},"accepted":{},"tcp":{},"tcp_connections":{},"udp":{}}})",
      requests, http1, http2, body_bytes, bad_requests, connections, accepted, tcp, tcp_connections, udp);
}

CounterBoard::CounterBoard(unsigned cores) {
  cells_.reserve(cores);
  for (unsigned i = 0; i < cores; ++i) cells_.emplace_back(era_);
}

Counters CounterBoard::read() const {
  Counters sum;
  for (const CoreCounters& cell : cells_) sum += cell.read();
  return sum;
}

Counters CounterBoard::reset() {
  era_.fetch_add(1, std::memory_order_relaxed);
  Counters sum;
  for (CoreCounters& cell : cells_) sum += cell.take();
  return sum;
}

void CoreCounters::count_request(Protocol protocol, std::uint64_t body_bytes, ConnectionMark& mark) {
  count_connection(mark);
  add(protocol == Protocol::kHttp1 ? http1_ : http2_, 1);
  if (body_bytes > 0) add(body_bytes_, body_bytes);
}

void CoreCounters::count_bad_request(ConnectionMark& mark) {
  count_connection(mark);
  add(bad_requests_, 1);
}

void CoreCounters::count_connection(ConnectionMark& mark) {
  const std::uint64_t era = era_.load(std::memory_order_relaxed);
  if (mark.counted_in == era) return;
  mark.counted_in = era;
  add(connections_, 1);
}

Counters CoreCounters::read() const {
  Counters counters;
  counters.http1 = http1_.load(std::memory_order_relaxed);
  counters.http2 = http2_.load(std::memory_order_relaxed);
  counters.requests = counters.http1 + counters.http2;
  counters.body_bytes = body_bytes_.load(std::memory_order_relaxed);
  counters.bad_requests = bad_requests_.load(std::memory_order_relaxed);
  counters.connections = connections_.load(std::memory_order_relaxed);
  counters.accepted = accepted_.load(std::memory_order_relaxed);
  counters.tcp = tcp_.load(std::memory_order_relaxed);
  counters.tcp_connections = tcp_connections_.load(std::memory_order_relaxed);
  counters.udp = udp_.load(std::memory_order_relaxed);
  return counters;
}

Counters CoreCounters::take() {
  Counters counters;
  counters.http1 = http1_.exchange(0, std::memory_order_relaxed);
  counters.http2 = http2_.exchange(0, std::memory_order_relaxed);
  counters.requests = counters.http1 + counters.http2;
  counters.body_bytes = body_bytes_.exchange(0, std::memory_order_relaxed);
  counters.bad_requests = bad_requests_.exchange(0, std::memory_order_relaxed);
  counters.connections = connections_.exchange(0, std::memory_order_relaxed);
  counters.accepted = accepted_.exchange(0, std::memory_order_relaxed);
  counters.tcp = tcp_.exchange(0, std::memory_order_relaxed);
  counters.tcp_connections = tcp_connections_.exchange(0, std::memory_order_relaxed);
  counters.udp = udp_.exchange(0, std::memory_order_relaxed);
  return counters;
}

}  // namespace hyperscale::target
