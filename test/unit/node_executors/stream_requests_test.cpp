#include "node/executors/stream_requests.h"

#include "node/control/control_client.h"
#include "node/control/control_socket.h"
#include "node/executors/stream_host.h"
#include "stream/stream_messages.h"
#include "temporary_folder.h"

#include <memory>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

class StreamRequestsTest : public testing::Test {
 protected:
  StreamRequestsTest() {
    auto leased =
        streams_->lease_for_child(stream::StreamNumber(4), {.counters_reserved_bytes = 64, .counters_bytes = 64});
    EXPECT_TRUE(leased);
    lease_ = std::move(*leased);
  }
  Result<std::vector<std::uint8_t>> ask(std::string_view method, const stream::StreamRequest& request,
                                        pid_t peer = 1234) {
    return answer_stream_request(streams_->driver(), method, encode(request), peer);
  }

  test::TemporaryFolder folder_;
  asio::io_context io_;
  std::unique_ptr<StreamHost> streams_ = std::move(*StreamHost::start(io_, {.shm_base_dir = folder_.path()}));
  ProducerLease lease_;
};

TEST_F(StreamRequestsTest, AttachKeepaliveDetach) {
  const auto attached = ask(stream::kAttachMethod, {.stream = 4});
  ASSERT_TRUE(attached) << attached.error().context;
  const auto grant = stream::decode_grant(*attached);
  ASSERT_TRUE(grant);
  EXPECT_TRUE(grant->has_regions);
  EXPECT_TRUE(grant->folder.ends_with("/4/1")) << grant->folder;
  EXPECT_FALSE(ask(stream::kAttachMethod, {.stream = 4})) << "one lease per client";
  EXPECT_TRUE(ask(stream::kKeepaliveMethod, {.lease = grant->lease, .mapped = grant->epoch}));
  EXPECT_FALSE(ask(stream::kKeepaliveMethod, {.lease = grant->lease, .mapped = grant->epoch}, 4321)) << "another's";
  EXPECT_FALSE(ask(stream::kDetachMethod, {.lease = grant->lease}, 4321));
  EXPECT_TRUE(ask(stream::kDetachMethod, {.lease = grant->lease}));
  EXPECT_FALSE(ask(stream::kKeepaliveMethod, {.lease = grant->lease, .mapped = grant->epoch}));
}

TEST_F(StreamRequestsTest, WhatIsWrongIsRefused) {
  EXPECT_EQ(ask(stream::kAttachMethod, {.layout_version = 2, .stream = 4}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ask(stream::kAttachMethod, {.stream = 5}).error().context, "stream 5 has no producer");
  EXPECT_EQ(ask("stream.unknown", {}).error().code, ErrorCode::kNotFound);
  const std::vector<std::uint8_t> junk(300, 0xff);
  EXPECT_EQ(answer_stream_request(streams_->driver(), stream::kAttachMethod, junk, 1).error().code,
            ErrorCode::kProtocol);
}

TEST_F(StreamRequestsTest, AnAnnouncementHasStreamsLeasesAndCounters) {
  const auto answer = ask(stream::kAnnounceMethod, {});
  ASSERT_TRUE(answer);
  const auto announced = stream::decode_announcement(*answer);
  ASSERT_TRUE(announced);
  ASSERT_EQ(announced->streams.size(), 1U);
  EXPECT_EQ(announced->streams[0].stream, 4U);
  ASSERT_EQ(announced->leases.size(), 1U);
  EXPECT_TRUE(announced->leases[0].is_producer);
  EXPECT_EQ(announced->leases[0].client, static_cast<std::uint64_t>(::getpid()));
}

TEST_F(StreamRequestsTest, EpochOfEndedChildIsDisowned) {
  streams_->child_gone(lease_);
  EXPECT_TRUE(streams_->driver().leases().empty());
  EXPECT_EQ(stream::read_superblock(lease_.regions->header.data())->pid, 0U) << "and can still be read";
  const auto next =
      streams_->lease_for_child(stream::StreamNumber(4), {.counters_reserved_bytes = 64, .counters_bytes = 64});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->epoch, stream::Epoch(2));
}

TEST_F(StreamRequestsTest, TheControlSocketAsksForTheProcessThatConnects) {
  pid_t asked_by = 0;
  auto socket = ControlSocket::listen(io_, folder_.path() + "/control", "1-00000000",
                                      {.status = [] { return std::string(); },
                                       .stop = [](std::string_view) { return Status(); },
                                       .stream =
                                           [&](std::string_view method, ByteView body, pid_t peer) {
                                             asked_by = peer;
                                             return answer_stream_request(streams_->driver(), method, body, peer);
                                           }});
  ASSERT_TRUE(socket) << socket.error().context;
  Result<std::string> answer;
  std::thread client([&] {
    answer = ask_run((*socket)->path(), stream::kAttachMethod, encode(stream::StreamRequest{.stream = 9}));
    asio::post(io_, [this] { io_.stop(); });
  });
  io_.run();
  client.join();
  EXPECT_EQ(asked_by, ::getpid());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().context, "stream 9 has no producer");
}

}  // namespace
}  // namespace hyperscale::node
