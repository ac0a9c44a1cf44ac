#include "allocation_count.h"
#include "session_pair.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

class QuietEvents final : public SessionEvents {
 public:
  void on_first_byte(std::uint32_t) override {}
  void on_header(std::uint32_t, std::string_view, std::string_view) override {}
  void on_head(std::uint32_t, const ResponseHead&) override {}
  void on_body(std::uint32_t, ByteView) override {}
  void on_response_complete(std::uint32_t, const ByteCounts&) override { ++completed; }
  void on_response_failed(std::uint32_t, results::Outcome, std::string_view, const ByteCounts&) override { ++failed; }
  void on_unprocessed(std::uint32_t, const ByteCounts&) override { ++failed; }
  void on_session_over() override {}
  int completed = 0;
  int failed = 0;
};

TEST(Http2Allocation, RequestsAllocateNothingAfterAWarmUp) {
  constexpr std::uint32_t kAtOnce = 10;
  FreeListMemory memory;
  QueueTransport transport;
  transport.out.reserve(1 << 20);
  QuietEvents events;
  TestServer server;
  server.on_request = [&](std::int32_t id) {
    server.answer(id, {.fields = {{"server", "t"}, {"content-length", "5"}}, .body = "hello"});
  };
  const PreparedRequest request = make_request();
  Http2Session session(transport, events, memory, {.streams_max = kAtOnce});
  std::size_t ours = 0;
  const auto round = [&] {
    transport.out.clear();
    {
      const std::size_t before = test::allocation_count();
      for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) session.send_request(slot, request);
      session.flush();
      ours += test::allocation_count() - before;
    }
    server.receive(transport.out);
    const auto answer = server.output();
    transport.out.clear();
    {
      const std::size_t before = test::allocation_count();
      session.on_bytes(answer);
      ours += test::allocation_count() - before;
    }
    if (!transport.out.empty()) server.receive(transport.out);
  };
  for (int i = 0; i < 20; ++i) round();
  ours = 0;
  const std::uint64_t pooled = memory.allocations();
  const std::uint64_t system = memory.system_allocations();
  for (int i = 0; i < 100; ++i) round();
  EXPECT_EQ(events.completed, 1200);
  EXPECT_EQ(events.failed, 0);
  EXPECT_EQ(ours, 0u);
  EXPECT_EQ(memory.system_allocations() - system, 0u) << "nghttp2 is served from the free lists";
  RecordProperty("nghttp2_allocations_per_request", static_cast<int>((memory.allocations() - pooled) / 1000));
}

}  // namespace
}  // namespace hyperscale::load
