#include "h2_client.h"
#include "server_fixture.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

namespace hyperscale::runtime {
namespace {

// A server context with a fresh self-signed certificate.
std::shared_ptr<asio::ssl::context> self_signed() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256");
  X509* certificate = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_sign(certificate, key, EVP_sha256());
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX_use_certificate(context->native_handle(), certificate);
  SSL_CTX_use_PrivateKey(context->native_handle(), key);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return context;
}

class Tls : public ServerFixture {
 protected:
  void SetUp() override { options.tls = self_signed(); }
};
INSTANTIATE_FLAVOURS(Tls);

// proves: NODE-IO-4
TEST_P(Tls, SpeaksHttp1) {
  start();
  H1Client client(port());
  ASSERT_TRUE(client.socket.start_tls("http/1.1"));
  EXPECT_EQ(client.socket.alpn_selected(), "http/1.1");
  EXPECT_EQ(client.get("/hello").body, "hello world");
  EXPECT_EQ(client.get("/big").body.size(), kBigBodyBytes);
}

TEST_P(Tls, SpeaksHttp1WithoutAlpn) {
  start();
  H1Client client(port());
  ASSERT_TRUE(client.socket.start_tls(""));
  EXPECT_EQ(client.get("/hello").status, 200);
}

TEST_P(Tls, SpeaksHttp2ByAlpn) {
  start();
  H2Client client(port());
  ASSERT_TRUE(client.socket.start_tls("h2"));
  EXPECT_EQ(client.socket.alpn_selected(), "h2");
  client.begin();
  const std::string body(200000, 'b');
  EXPECT_EQ(client.answer(client.request("POST", "/echo", body)).body, body);
}

// proves part: NODE-TIME-6 (the API; by test_tls also when)
TEST_P(Tls, SilentHandshakeTimesOutAndIsCounted) {
  limits.handshake_timeout = 100ms;
  start();
  ClientSocket silent(port());
  EXPECT_EQ(silent.receive(), "");
  EXPECT_EQ(count(Counter::kIoTimeouts, "handshake"), 1);
  EXPECT_EQ(count(Counter::kHandshakesDropped, "timeout"), 1);
  EXPECT_EQ(HttpLimits{}.handshake_timeout, 2s);
}

TEST_P(Tls, PlainTextIsNotAHandshake) {
  start();
  H1Client client(port());
  client.send(get_text("/hello"));
  client.socket.receive_all();
  EXPECT_TRUE(eventually([this] { return count(Counter::kHandshakesDropped, "failed") == 1; }));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

// proves part: NODE-SHUT-5 (framed transport, close_notify of TLS, GOAWAY of HTTP/2; not plain HTTP/1.1)
TEST_P(Tls, CloseSaysGoodbyeWithCloseNotify) {
  start();
  H1Client client(port());
  ASSERT_TRUE(client.socket.start_tls(""));
  EXPECT_EQ(client.get("/hello").status, 200);
  std::future<void> closed = asio::co_spawn(io, server->close(20s), asio::use_future);
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(client.socket.got_close_notify());
  closed.get();
}

}  // namespace
}  // namespace hyperscale::runtime
