#include "base/prng.h"
#include "session_pair.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

constexpr std::uint32_t kRequests = 6;

// All that a server says in one connection: informational heads, bodies, trailers, a reset, a ping and a GOAWAY.
std::vector<std::uint8_t> recorded_conversation(const PreparedRequest& request) {
  SessionPair pair;
  for (std::uint32_t slot = 0; slot < kRequests; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  pair.server.receive(pair.transport.out);
  pair.server.inform(1, "103");
  auto bytes = pair.server.output();
  pair.server.answer(1, {.fields = {{"a", "b"}, {"long", std::string(300, 'l')}}, .body = std::string(700, '1')});
  pair.server.answer(3, {.status = "404", .trailers = {{"sum", "1"}}});
  pair.server.answer(5, {.fields = {{"connection", "close"}}, .body = "malformed"});
  pair.server.reset(7, NGHTTP2_INTERNAL_ERROR);
  pair.server.ping();
  pair.server.answer(9, {.body = "nine", .trailers = {{"sum", "2"}}});
  auto more = pair.server.output();
  bytes.insert(bytes.end(), more.begin(), more.end());
  pair.server.go_away(9, NGHTTP2_NO_ERROR);
  more = pair.server.output();
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

struct Replay {
  std::map<std::uint32_t, Seen> seen;
  int overs = 0;
  bool operator==(const Replay&) const = default;
};

// Feeds the bytes in pieces that end at the given offsets.
Replay replay(const PreparedRequest& request, ByteView bytes, const std::vector<std::size_t>& ends) {
  SessionPair pair;
  for (std::uint32_t slot = 0; slot < kRequests; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  std::size_t at = 0;
  for (const std::size_t end : ends) {
    if (end > at) pair.session.on_bytes(bytes.subspan(at, end - at));
    at = end;
  }
  pair.session.on_bytes(bytes.subspan(at));
  return {std::move(pair.record.seen), pair.record.overs};
}

TEST(Http2Split, EverySplitOfTheInputTellsTheSame) {
  const PreparedRequest request = make_request();
  const auto bytes = recorded_conversation(request);
  const Replay whole = replay(request, bytes, {});
  ASSERT_EQ(whole.overs, 1);
  ASSERT_EQ(whole.seen.at(0).completed, 1);
  ASSERT_EQ(whole.seen.at(0).body.size(), 700u);
  ASSERT_EQ(whole.seen.at(1).status, 404);
  ASSERT_EQ(whole.seen.at(2).failure, results::Outcome::kProtocol);
  ASSERT_EQ(whole.seen.at(3).failure, results::Outcome::kReset);
  ASSERT_EQ(whole.seen.at(4).body, "nine");
  ASSERT_EQ(whole.seen.at(5).unprocessed, 1);
  std::vector<std::size_t> every;
  for (std::size_t split = 1; split < bytes.size(); ++split) {
    every.push_back(split);
    ASSERT_TRUE(replay(request, bytes, {split}) == whole) << "split at " << split << " of " << bytes.size();
  }
  EXPECT_TRUE(replay(request, bytes, every) == whole) << "byte by byte";
  Prng prng(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> ends;
    for (std::size_t at = prng.below(60); at < bytes.size(); at += 1 + prng.below(60)) ends.push_back(at);
    ASSERT_TRUE(replay(request, bytes, ends) == whole) << "round " << round;
  }
}

int endings(const Seen& seen) {
  return seen.completed + seen.unprocessed + (seen.failure ? 1 : 0);
}

// Whatever arrives, every request ends once and the session does not fall over.
TEST(Http2Split, DamagedInputEndsEveryRequestOnce) {
  const PreparedRequest request = make_request();
  const auto good = recorded_conversation(request);
  Prng prng(2);
  for (int round = 0; round < 3000; ++round) {
    auto bad = good;
    for (std::uint64_t flips = 1 + prng.below(4); flips > 0; --flips)
      bad[prng.below(bad.size())] = static_cast<std::uint8_t>(prng.next());
    SessionPair pair;
    for (std::uint32_t slot = 0; slot < kRequests; ++slot) pair.session.send_request(slot, request);
    pair.session.flush();
    pair.session.on_bytes(bad);
    pair.session.on_end();
    for (std::uint32_t slot = 0; slot < kRequests; ++slot)
      ASSERT_EQ(endings(pair.record.seen[slot]), 1) << "round " << round;
    ASSERT_EQ(pair.record.overs, 1);
    ASSERT_EQ(pair.session.in_flight(), 0u);
  }
}

}  // namespace
}  // namespace hyperscale::load
