#include "server_fixture.h"

#include <chrono>
#include <future>

namespace hyperscale::runtime {
namespace {

class Shutdown : public ServerFixture {
 protected:
  std::future<void> begin_close(Duration deadline) {
    return asio::co_spawn(io, server->close(deadline), asio::use_future);
  }
};
INSTANTIATE_FLAVOURS(Shutdown);

TEST_P(Shutdown, IdleConnectionsAreClosedAtOnce) {
  start();
  H1Client client(port());
  EXPECT_EQ(client.get("/hello").status, 200);
  H1Client silent(port());
  ASSERT_TRUE(eventually([this] { return server->open_connections() == 2; }));
  const auto asked = std::chrono::steady_clock::now();
  close_server(20s);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 5s);
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(silent.at_end());
  EXPECT_EQ(server->open_connections(), 0u);
}

TEST_P(Shutdown, BusyConnectionsEndAfterTheirAnswer) {
  start();
  H1Client client(port());
  client.send(get_text("/hold"));
  ASSERT_TRUE(gate->wait_entered(1));
  std::future<void> closed = begin_close(20s);
  ASSERT_TRUE(eventually([this] { return !H1Client(port()).socket.connected(); }));
  gate->release();
  const Answer answer = client.receive();
  EXPECT_EQ(answer.body, "released");
  // With several threads the answer may be on its way before its connection hears of the end; it is closed all the
  // same.
  if (GetParam() == 1) {
    EXPECT_EQ(answer.headers.at("connection"), "close");
  }
  EXPECT_TRUE(client.at_end());
  closed.get();
}

TEST_P(Shutdown, AtTheDeadlineEverythingIsClosed) {
  start();
  H1Client client(port());
  client.send(get_text("/hold"));
  ASSERT_TRUE(gate->wait_entered(1));
  begin_close(50ms).get();
  EXPECT_EQ(server->open_connections(), 0u);
  EXPECT_EQ(client.receive().status, 0);
  EXPECT_TRUE(gate->wait_canceled(1));
}

TEST_P(Shutdown, ServeReturnsAfterStopAccepting) {
  start();
  H1Client client(port());
  EXPECT_EQ(client.get("/hello").status, 200);
  server->stop_accepting();
  EXPECT_EQ(served.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(client.get("/hello").status, 200) << "open connections go on until close()";
}

TEST_P(Shutdown, CloseWithoutConnectionsReturns) {
  start();
  close_server(20s);
  close_server(20s);
  EXPECT_EQ(server->open_connections(), 0u);
}

}  // namespace
}  // namespace hyperscale::runtime
