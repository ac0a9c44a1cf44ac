// Exact counts of what the server has received: a request counts once its head and body are complete, before it is
// answered. GET /count and POST /reset-count do not count, and neither does a connection that carried nothing else.
//
// CounterBoard: one cell per core, written by that core, read and reset by any thread. A reset loses nothing: every
// request is in the numbers before it or in those after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::target {

struct Counters {
  std::uint64_t requests = 0;
  std::uint64_t http1 = 0;  // of the requests
  std::uint64_t http2 = 0;
  std::uint64_t body_bytes = 0;    // of the requests
  std::uint64_t bad_requests = 0;  // refused by the parser; not among the requests
  std::uint64_t connections = 0;   // that carried a request or a bad one
  std::uint64_t accepted = 0;      // all connections, also those without a request
  // Not among the requests and connections above.
  std::uint64_t tcp = 0;              // lines over raw TCP
  std::uint64_t tcp_connections = 0;  // that carried a line
  std::uint64_t udp = 0;              // datagrams

  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
  void append_json(std::string& out) const;
};

// Whether a connection was counted since the last reset; each connection holds one.
struct ConnectionMark {
  std::uint64_t counted_in = 0;
};

class alignas(64) CoreCounters {
 public:
  explicit CoreCounters(const std::atomic<std::uint64_t>& era) : era_(era) {}
  CoreCounters(CoreCounters&& other) noexcept : era_(other.era_) {}

  enum class Protocol : std::uint8_t { kHttp1, kHttp2 };
  void count_accepted() { add(accepted_, 1); }
  void count_request(Protocol protocol, std::uint64_t body_bytes, ConnectionMark& mark);
  void count_bad_request(ConnectionMark& mark);
  void count_line(bool first_of_connection) {
    add(tcp_, 1);
    if (first_of_connection) add(tcp_connections_, 1);
  }
  void count_datagram() { add(udp_, 1); }

 private:
  friend class CounterBoard;
  using Cell = std::atomic<std::uint64_t>;
  static void add(Cell& cell, std::uint64_t count) { cell.fetch_add(count, std::memory_order_relaxed); }
  void count_connection(ConnectionMark& mark);
  Counters read() const;
  Counters take();

  const std::atomic<std::uint64_t>& era_;  // grows with each reset
  Cell http1_{0};
  Cell http2_{0};
  Cell body_bytes_{0};
  Cell bad_requests_{0};
  Cell connections_{0};
  Cell accepted_{0};
  Cell tcp_{0};
  Cell tcp_connections_{0};
  Cell udp_{0};
};

class CounterBoard {
 public:
  explicit CounterBoard(unsigned cores);
  CoreCounters& core(unsigned index) { return cells_[index]; }
  Counters read() const;
  Counters reset();

 private:
  std::atomic<std::uint64_t> era_{1};
  std::vector<CoreCounters> cells_;
};

}  // namespace hyperscale::target
