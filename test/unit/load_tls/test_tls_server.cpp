#include "test_tls_server.h"

#include <array>

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace hyperscale::load {
namespace {

BioOwner reader(const std::string& text) {
  return BioOwner(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* offered,
                    unsigned offered_size, void* argument) {
  const std::string& wanted = *static_cast<std::string*>(argument);
  for (unsigned at = 0; at < offered_size; at += 1u + offered[at]) {
    if (wanted != std::string(offered + at + 1, offered + at + 1 + offered[at])) continue;
    *out = offered + at + 1;
    *out_size = offered[at];
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

TestTlsContext::TestTlsContext(const Identity& identity, TestTlsOptions options)
    : options_(std::move(options)), context_(SSL_CTX_new(TLS_server_method())) {
  const CertificateOwner certificate(
      PEM_read_bio_X509(reader(identity.certificate_pem).get(), nullptr, nullptr, nullptr));
  const KeyOwner key(PEM_read_bio_PrivateKey(reader(identity.key_pem).get(), nullptr, nullptr, nullptr));
  SSL_CTX_use_certificate(context_.get(), certificate.get());
  SSL_CTX_use_PrivateKey(context_.get(), key.get());
  SSL_CTX_set_session_id_context(context_.get(), reinterpret_cast<const unsigned char*>("t"), 1);
  if (options_.version_max != 0) SSL_CTX_set_max_proto_version(context_.get(), options_.version_max);
  if (options_.version_min != 0) SSL_CTX_set_min_proto_version(context_.get(), options_.version_min);
  if (options_.version_max == TLS1_1_VERSION) SSL_CTX_set_security_level(context_.get(), 0);
  if (!options_.alpn.empty()) SSL_CTX_set_alpn_select_cb(context_.get(), choose_protocol, &options_.alpn);
  if (options_.client_ca_pem.empty()) return;
  const CertificateOwner authority(PEM_read_bio_X509(reader(options_.client_ca_pem).get(), nullptr, nullptr, nullptr));
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), authority.get());
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
}

TestTlsServer::TestTlsServer(TestTlsContext& context) : ssl_(SSL_new(context.get())) {
  SSL_set_accept_state(ssl_.get());
  SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
}

void TestTlsServer::feed(ByteView bytes) {
  BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
  step();
}

void TestTlsServer::step() {
  std::array<char, 16384> buffer{};
  while (!failed_) {
    ERR_clear_error();
    const int read = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (read > 0) {
      received.append(buffer.data(), static_cast<std::size_t>(read));
      continue;
    }
    const int error = SSL_get_error(ssl_.get(), read);
    failed_ = error != SSL_ERROR_WANT_READ && error != SSL_ERROR_ZERO_RETURN;
    ERR_clear_error();
    return;
  }
}

std::vector<std::uint8_t> TestTlsServer::wire() {
  BIO* out = SSL_get_wbio(ssl_.get());
  std::vector<std::uint8_t> bytes(BIO_ctrl_pending(out));
  if (!bytes.empty()) BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

void TestTlsServer::send(std::string_view text) {
  ASSERT_EQ(SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())), static_cast<int>(text.size()));
}

void TestTlsServer::say_goodbye() {
  SSL_shutdown(ssl_.get());
}

void TestTlsServer::request_key_update() {
  SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED);
}

std::string TestTlsServer::server_name() const {
  const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
  return name != nullptr ? name : "";
}

}  // namespace hyperscale::load
