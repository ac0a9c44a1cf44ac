#include "target/counters.h"

#include "target/turns.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

using Protocol = CoreCounters::Protocol;

TEST(Counters, CountsRequestsAndTheirConnections) {
  CounterBoard board(2);
  ConnectionMark first;
  ConnectionMark second;
  board.core(0).count_accepted();
  board.core(0).count_request(Protocol::kHttp1, 10, first);
  board.core(0).count_request(Protocol::kHttp1, 0, first);
  board.core(1).count_request(Protocol::kHttp2, 5, second);
  board.core(1).count_bad_request(second);
  const Counters expected{
      .requests = 3, .http1 = 2, .http2 = 1, .body_bytes = 15, .bad_requests = 1, .connections = 2, .accepted = 1};
  EXPECT_EQ(board.read(), expected);
  EXPECT_EQ(board.reset(), expected);
  EXPECT_EQ(board.read(), Counters{});
}

TEST(Counters, AConnectionCountsAgainAfterAReset) {
  CounterBoard board(1);
  ConnectionMark mark;
  board.core(0).count_request(Protocol::kHttp1, 0, mark);
  board.reset();
  board.core(0).count_request(Protocol::kHttp1, 0, mark);
  board.core(0).count_request(Protocol::kHttp1, 0, mark);
  EXPECT_EQ(board.read().connections, 1u);
}

TEST(Counters, AResetLosesNothing) {
  constexpr std::uint64_t kRequests = 200'000;
  CounterBoard board(1);
  std::atomic<bool> done = false;
  std::thread core([&] {
    ConnectionMark mark;
    for (std::uint64_t i = 0; i < kRequests; ++i) board.core(0).count_request(Protocol::kHttp1, 1, mark);
    done = true;
  });
  Counters sum;
  while (!done) sum += board.reset();
  core.join();
  sum += board.reset();
  EXPECT_EQ(sum.requests, kRequests);
  EXPECT_EQ(sum.body_bytes, kRequests);
}

TEST(Counters, AreShownAsJson) {
  std::string text;
  Counters{.requests = 7, .http1 = 3, .http2 = 4, .body_bytes = 5, .bad_requests = 1, .connections = 2, .accepted = 9}
      .append_json(text);
  EXPECT_EQ(
      text,
      R"({"requests":7,"http1":3,"http2":4,"body_bytes":5,"bad_requests":1,"connections":2,"accepted":9,"tcp":0,"tcp_connections":0,"udp":0})");
}

TEST(Turns, PercentagesAreSpreadEvenly) {
  for (const std::uint64_t percent : {0, 1, 3, 10, 33, 50, 99, 100}) {
    std::uint64_t chosen = 0;
    for (std::uint64_t turn = 1; turn <= 1000; ++turn) chosen += is_chosen_turn(turn, percent) ? 1 : 0;
    EXPECT_EQ(chosen, percent * 10) << percent;
  }
  for (std::uint64_t turn = 1; turn <= 100; ++turn) EXPECT_EQ(is_chosen_turn(turn, 10), turn % 10 == 0) << turn;
}

TEST(Turns, AreExactOverThreads) {
  Turns turns;
  std::atomic<int> chosen = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) chosen += is_chosen_turn(turns.next("/status/200,500@10"), 10) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(chosen, 400);
}

}  // namespace
}  // namespace hyperscale::target
