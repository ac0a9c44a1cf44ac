#include "tls_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

class TlsTransfer : public testing::Test {
 protected:
  void SetUp() override {
    pair.start();
    ASSERT_EQ(pair.record.readies, 1) << pair.record.detail;
  }
  TestAuthority authority;
  TestTlsContext server{authority.issue()};
  TlsPair pair{server, client_context(trusting(authority))};
};

TEST_F(TlsTransfer, BytesGoBothWays) {
  EXPECT_TRUE(pair.transport->send(as_bytes("ping"), Sending::kTracked));
  pair.run();
  EXPECT_EQ(pair.server.received, "ping");
  pair.server.send("pong");
  pair.run();
  EXPECT_EQ(pair.record.received, "pong");
  EXPECT_EQ(pair.record.sents, 0) << "nothing was owed";
}

TEST_F(TlsTransfer, LargeBodiesArriveInAnyPieces) {
  const std::string body = pattern(700'000);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{17}, std::size_t{4096}, SIZE_MAX}) {
    pair.piece = piece;
    pair.record.received.clear();
    const std::string part = body.substr(0, piece == 1 ? 50'000 : body.size());
    pair.server.send(part);
    pair.run();
    EXPECT_TRUE(pair.record.received == part) << piece;
  }
}

TEST_F(TlsTransfer, ALargeUploadIsEncryptedAsTheSocketTakesIt) {
  const std::string body = pattern(3'000'000);
  pair.loop.busy = true;
  EXPECT_FALSE(pair.transport->send(as_bytes(body), Sending::kTracked));
  while (pair.record.sents == 0 && !pair.loop.held.empty()) pair.loop.finish_send();
  pair.run();
  EXPECT_EQ(pair.record.sents, 1);
  EXPECT_TRUE(pair.server.received == body);
  EXPECT_LE(pair.loop.largest_send, kTlsEncryptBytesMax + 4096);
  pair.loop.busy = false;
  EXPECT_TRUE(pair.transport->send(as_bytes("next"), Sending::kTracked));
}

TEST_F(TlsTransfer, OnlyWholeRecordsCountAsSent) {
  constexpr std::size_t kRecord = 16 << 10;
  const std::string body = pattern(100'000);
  pair.loop.busy = true;
  pair.transport->send(as_bytes(body), Sending::kTracked);
  EXPECT_EQ(pair.transport->unsent(), body.size());
  pair.loop.taken = kRecord;  // the record is a little longer
  EXPECT_EQ(pair.transport->unsent(), body.size());
  pair.loop.taken = kRecord + 64;
  EXPECT_EQ(pair.transport->unsent(), body.size() - kRecord);
  pair.loop.taken = pair.loop.held.size();
  EXPECT_EQ(pair.transport->unsent(), body.size() - kTlsEncryptBytesMax);
  pair.loop.events->on_failed(ECONNRESET);
  EXPECT_EQ(pair.transport->unsent(), body.size() - kTlsEncryptBytesMax) << "known after the failure";
}

TEST_F(TlsTransfer, SendingOnceOwesNoWordWhenItIsDone) {
  const std::string body = pattern(200'000);
  pair.loop.busy = true;
  EXPECT_TRUE(pair.transport->send(as_bytes(body), Sending::kOnce));
  while (!pair.loop.held.empty()) pair.loop.finish_send();
  pair.run();
  EXPECT_TRUE(pair.server.received == body);
  EXPECT_EQ(pair.record.sents, 0);
}

TEST_F(TlsTransfer, KeyUpdateWaitsForSendInProgress) {
  pair.loop.busy = true;
  EXPECT_FALSE(pair.transport->send(as_bytes("request"), Sending::kTracked));
  pair.server.request_key_update();
  pair.server.send("new keys");
  pair.deliver(pair.server.wire());
  EXPECT_EQ(pair.record.received, "new keys");
  while (!pair.loop.held.empty()) pair.loop.finish_send();
  pair.loop.busy = false;
  EXPECT_EQ(pair.record.sents, 1);
  EXPECT_TRUE(pair.transport->send(as_bytes(" and more"), Sending::kTracked));
  pair.run();
  EXPECT_EQ(pair.server.received, "request and more");
  EXPECT_FALSE(pair.server.failed());
}

TEST_F(TlsTransfer, CloseNotifyEndsThePeersHalf) {
  pair.server.send("last");
  pair.server.say_goodbye();
  pair.run();
  EXPECT_EQ(pair.record.received, "last");
  EXPECT_EQ(pair.record.ends, 1);
  EXPECT_TRUE(pair.transport->send(as_bytes("still here"), Sending::kTracked));
  pair.loop.events->on_end();
  EXPECT_EQ(pair.record.ends, 1);
  EXPECT_FALSE(pair.record.failure);
}

TEST_F(TlsTransfer, AnEndWithoutCloseNotifyIsATruncation) {
  pair.server.send("half of it");
  pair.run();
  pair.loop.events->on_end();
  pair.expect_tls_failure("the server closed the connection without close_notify; the answer may be cut short");
  EXPECT_EQ(pair.record.ends, 0);
}

TEST_F(TlsTransfer, CloseSendsCloseNotify) {
  pair.transport->close();
  EXPECT_TRUE(pair.loop.closed);
  pair.server.feed(pair.loop.out);
  EXPECT_TRUE(pair.server.saw_close_notify());
  pair.transport->close();
  EXPECT_TRUE(pair.transport->send(as_bytes("too late"), Sending::kTracked));
}

TEST_F(TlsTransfer, ClosingInsideACallbackStopsTheReading) {
  pair.record.on_data = [&] { pair.transport->close(); };
  pair.server.send("one");
  pair.server.send("two");
  pair.run();
  EXPECT_EQ(pair.record.received, "one");
  EXPECT_EQ(pair.record.ends, 0);
  EXPECT_FALSE(pair.record.failure);
}

TEST_F(TlsTransfer, ADamagedRecordIsATlsFailure) {
  pair.server.send("precious");
  auto wire = pair.server.wire();
  wire.back() ^= 1;
  pair.deliver(wire);
  EXPECT_EQ(pair.record.failure, Outcome::kTls);
  EXPECT_EQ(pair.record.detail, "the server sent a bad record: decryption failed or bad record mac");
  EXPECT_EQ(pair.record.received, "");
  pair.server.feed(pair.loop.out);
  EXPECT_TRUE(pair.server.failed()) << "told by an alert";
}

TEST_F(TlsTransfer, AConnectionThatBreaksFailsAsInClearText) {
  pair.loop.busy = true;
  EXPECT_FALSE(pair.transport->send(as_bytes("request"), Sending::kTracked));
  pair.loop.events->on_failed(ECONNRESET);
  EXPECT_EQ(pair.record.failure, Outcome::kReset);
  EXPECT_EQ(pair.record.detail, "Connection reset by peer");
}

}  // namespace
}  // namespace hyperscale::load
