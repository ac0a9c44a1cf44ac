#include "node/executors/stream_host.h"

#include "temporary_folder.h"

#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

TEST(StreamHost, TickPeriodFollowsTheShorterInterval) {
  EXPECT_EQ(tick_period({}), 250ms);
  EXPECT_EQ(tick_period({.lease_keepalive_interval_ms = 60'000}), 250ms) << "activity is noted once a second";
  EXPECT_EQ(tick_period({.announce_period_ms = 60'000, .lease_keepalive_interval_ms = 400}), 100ms);
}

TEST(StreamHost, WhatWasCollectedIsTold) {
  const test::TemporaryFolder folder;
  asio::io_context io;
  MonoTime now = stream::boot_now();
  stream::DriverSetup setup{.shm_base_dir = folder.path()};
  setup.clock = [&now] { return now; };
  const auto host = StreamHost::start(io, std::move(setup));
  ASSERT_TRUE(host) << host.error().context;
  std::vector<std::string> told;
  (*host)->log_to([&](const std::string& sentence) { told.push_back(sentence); });
  for (int i = 0; i < 3; ++i) {
    auto lease =
        (*host)->lease_for_child(stream::StreamNumber(2), {.counters_reserved_bytes = 64, .counters_bytes = 64});
    ASSERT_TRUE(lease) << lease.error().context;
    now += 10s;
    (*host)->child_gone(*lease);
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{"epoch GC removed epoch 1 of stream 2", "epoch GC removed epoch 2 of stream 2"}));
}

}  // namespace
}  // namespace hyperscale::node
