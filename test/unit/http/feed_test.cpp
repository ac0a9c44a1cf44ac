#include "h2_client.h"
#include "server_fixture.h"

#include <future>

namespace hyperscale::runtime {
namespace {

class Feed : public ServerFixture {
 protected:
  // Reads until `end` has arrived; what came before it stays in front.
  static std::string read_to(ClientSocket& socket, std::string_view end) {
    std::string got;
    while (got.find(end) == std::string::npos) {
      const std::string more = socket.receive();
      if (more.empty()) break;
      got += more;
    }
    return got;
  }
};
INSTANTIATE_FLAVOURS(Feed);

TEST_P(Feed, PiecesAreSentAsChunksBeforeTheEnd) {
  start();
  ClientSocket socket(port());
  socket.send(get_text("/feed"));
  const std::string begun = read_to(socket, "piece 2;\r\n");
  EXPECT_NE(begun.find("transfer-encoding: chunked"), std::string::npos);
  EXPECT_EQ(begun.find("content-length"), std::string::npos);
  EXPECT_NE(begun.find("8\r\npiece 0;\r\n8\r\npiece 1;\r\n8\r\npiece 2;\r\n"), std::string::npos);
  ASSERT_TRUE(gate->wait_entered(1));
  gate->release();
  EXPECT_EQ(read_to(socket, "0\r\n\r\n"), "0\r\n\r\n");
  socket.send(get_text("/hello"));
  EXPECT_NE(read_to(socket, "hello world").find("hello world"), std::string::npos);
}

TEST_P(Feed, Http10PeerReadsFeedUntilClose) {
  start();
  ClientSocket socket(port());
  socket.send("GET /feed HTTP/1.0\r\n\r\n");
  ASSERT_TRUE(gate->wait_entered(1));
  gate->release();
  const std::string all = socket.receive_all();
  EXPECT_EQ(all.find("chunked"), std::string::npos);
  EXPECT_TRUE(all.ends_with("\r\n\r\npiece 0;piece 1;piece 2;")) << all;
}

TEST_P(Feed, HoldsItsPermitUntilItEnds) {
  start();
  ClientSocket socket(port());
  socket.send(get_text("/feed"));
  ASSERT_TRUE(gate->wait_entered(1));
  EXPECT_EQ(H1Client(port()).get("/feed").status, 429);
  gate->release();
  read_to(socket, "0\r\n\r\n");
  EXPECT_TRUE(eventually([this] {
    H1Client again(port());
    again.send(get_text("/feed"));
    return again.receive(false).status == 200;
  }));
}

TEST_P(Feed, IsStoppedWhenThePeerLeaves) {
  start();
  ClientSocket socket(port());
  socket.send(get_text("/feed"));
  ASSERT_TRUE(gate->wait_entered(1));
  socket.close();
  EXPECT_TRUE(gate->wait_canceled(1));
}

TEST_P(Feed, IsStoppedWhenTheServerCloses) {
  start();
  ClientSocket socket(port());
  socket.send(get_text("/feed"));
  ASSERT_TRUE(gate->wait_entered(1));
  std::future<void> closed = asio::co_spawn(io, server->close(20s), asio::use_future);
  EXPECT_TRUE(read_to(socket, "0\r\n\r\n").ends_with("0\r\n\r\n"));
  closed.get();
}

TEST_P(Feed, APeerThatDoesNotReadIsCutOff) {
  limits.write_timeout = 100ms;
  start();
  ClientSocket socket(port());
  socket.send(get_text("/endless"));
  EXPECT_TRUE(eventually([this] { return count(Counter::kIoTimeouts, "write") >= 1; }));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

TEST_P(Feed, AnExceptionClosesItsConnectionOnly) {
  start();
  H1Client other(port());
  EXPECT_EQ(other.get("/hello").status, 200);
  ClientSocket socket(port());
  socket.send(get_text("/broken-feed"));
  EXPECT_TRUE(socket.receive_all().ends_with("piece\r\n")) << "without an end";
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 1; }));
  EXPECT_EQ(other.get("/hello").status, 200);
  EXPECT_EQ(count(Counter::kIoErrors, "connection"), 1);
  ASSERT_EQ(logged().size(), 1u);
  EXPECT_NE(logged()[0].find("connection of 127.0.0.1 on test closed: std::bad_alloc"), std::string::npos);
}

TEST_P(Feed, AnExceptionResetsItsStreamOnHttp2) {
  start();
  H2Client client(port());
  client.begin();
  const auto id = client.request("GET", "/broken-feed");
  EXPECT_EQ(client.answer(id).body, "piece");
  EXPECT_EQ(client.streams[id].error_code, static_cast<std::uint32_t>(NGHTTP2_INTERNAL_ERROR));
  EXPECT_EQ(client.answer(client.request("GET", "/hello")).status, 200);
  EXPECT_EQ(count(Counter::kIoErrors, "connection"), 1);
}

TEST_P(Feed, ComesAsDataFramesOnHttp2) {
  start();
  H2Client client(port());
  client.begin();
  const auto id = client.request("GET", "/feed");
  ASSERT_TRUE(client.run_until([&] { return client.streams[id].answer.body == "piece 0;piece 1;piece 2;"; }));
  EXPECT_FALSE(client.streams[id].closed);
  EXPECT_EQ(client.answer(client.request("GET", "/hello")).body, "hello world");
  ASSERT_TRUE(gate->wait_entered(1));
  gate->release();
  EXPECT_EQ(client.answer(id).body, "piece 0;piece 1;piece 2;");
  EXPECT_EQ(client.answer(client.request("HEAD", "/feed")).status, 200);
}

TEST_P(Feed, IsStoppedByAResetOnHttp2) {
  start();
  H2Client client(port());
  client.begin();
  const auto id = client.request("GET", "/feed");
  ASSERT_TRUE(client.run_until([&] { return client.streams[id].answer.body == "piece 0;piece 1;piece 2;"; }));
  client.reset(id);
  client.flush();
  EXPECT_TRUE(gate->wait_canceled(1));
  EXPECT_EQ(client.answer(client.request("GET", "/hello")).status, 200);
}

}  // namespace
}  // namespace hyperscale::runtime
