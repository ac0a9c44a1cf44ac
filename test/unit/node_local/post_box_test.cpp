#include "node/local/post_box.h"

#include <memory>

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

TEST(PostBox, HandsWorkToTheLoop) {
  boost::asio::io_context io;
  PostBox box(io);
  int done = 0;
  box.post([&] { ++done; });
  EXPECT_EQ(done, 0) << "not before the loop runs";
  io.run();
  EXPECT_EQ(done, 1);
}

TEST(PostBox, WorkAfterTheEndIsDropped) {
  auto io = std::make_unique<boost::asio::io_context>();
  PostBox box(*io);
  box.close();
  io.reset();
  const auto work = std::make_shared<int>(1);
  box.post([work] { FAIL() << "there is no loop"; });
  EXPECT_EQ(work.use_count(), 1);
}

}  // namespace
}  // namespace hyperscale::node
