#include "node/executors/executor_link.h"

#include "base/owned_fd.h"

#include <chrono>
#include <optional>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

TEST(ExecutorLink, OneThatDoesNotReadIsKilled) {
  asio::io_context io;
  const OwnedFd none(::open("/dev/null", O_RDWR | O_CLOEXEC));
  std::optional<ExecutorExit> gone;
  auto link = ExecutorLink::start(io, {.path = "/bin/sh", .arguments = {"sh", "-c", "exec sleep 1000"}},
                                  {none.get(), none.get(), none.get(), none.get()},
                                  {.message = [](const ExecutorMessage&) { FAIL() << "it says nothing"; },
                                   .gone = [&](const ExecutorExit& exit) { gone = exit; }});
  ASSERT_TRUE(link) << link.error().context;
  const SharedBytes block = SharedBytes::adopt(std::vector<std::uint8_t>(std::size_t{16} << 20));
  for (std::size_t sent = 0; sent <= kUnreadBytesMax; sent += block.size()) (*link)->send(block);
  EXPECT_FALSE(gone) << "never inside a call";
  io.run_for(std::chrono::seconds(10));
  ASSERT_TRUE(gone);
  EXPECT_EQ(describe(*gone), "killed because it does not read its messages");
  EXPECT_EQ((*link)->process(), 0);
}

}  // namespace
}  // namespace hyperscale::node
