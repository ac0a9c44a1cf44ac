#include "runtime/tls/tls_context.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using ClientContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX, SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Freed<SSL, SSL_free>>;

Key make_ec_key() {
  return Key(EVP_EC_gen("P-256"));
}

Certificate make_certificate(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  const auto* host = reinterpret_cast<const unsigned char*>("localhost");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

std::string pem_of(const std::function<void(BIO*)>& write) {
  BIO* memory = BIO_new(BIO_s_mem());
  write(memory);
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(memory);
  return text;
}

std::string pem_of(EVP_PKEY* key) {
  return pem_of([key](BIO* out) { PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

std::string encrypted_pem_of(EVP_PKEY* key) {
  return pem_of(
      [key](BIO* out) { PEM_write_bio_PKCS8PrivateKey(out, key, EVP_aes_256_cbc(), "secret", 6, nullptr, nullptr); });
}

class TlsContextTest : public testing::Test {
 protected:
  TlsContextTest() {
    static std::atomic<int> number = 0;
    folder_ = fs::path(testing::TempDir()) / fmt::format("tls-{}-{}", ::getpid(), ++number);
    fs::create_directories(folder_);
    key_ = make_ec_key();
    const Certificate certificate = make_certificate(key_.get());
    write("cert.pem", pem_of([&](BIO* out) { PEM_write_bio_X509(out, certificate.get()); }));
    write("key.pem", pem_of(key_.get()));
  }
  ~TlsContextTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    ::chmod(path(name).c_str(), 0600);
  }
  auto make(const std::string& groups = {}) const {
    return make_server_tls_context(path("cert.pem"), path("key.pem"), groups);
  }
  std::string error(const std::string& cert, const std::string& key, const std::string& groups = {}) const {
    const auto made = make_server_tls_context(path(cert), path(key), groups);
    if (made) return "no error";
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
    return made.error().context;
  }

  fs::path folder_;
  Key key_;
};

struct Handshake {
  bool done = false;
  std::string version;
  std::string protocol;
  std::string group;
};

// Both ends in memory, turn by turn.
Handshake shake_hands(SSL_CTX* server_context, const std::function<void(SSL_CTX*)>& set_up_client) {
  const ClientContext client_context(SSL_CTX_new(TLS_client_method()));
  set_up_client(client_context.get());
  const Connection client(SSL_new(client_context.get()));
  const Connection server(SSL_new(server_context));
  BIO* client_side = nullptr;
  BIO* server_side = nullptr;
  BIO_new_bio_pair(&client_side, 0, &server_side, 0);
  SSL_set_bio(client.get(), client_side, client_side);
  SSL_set_bio(server.get(), server_side, server_side);
  SSL_set_connect_state(client.get());
  SSL_set_accept_state(server.get());
  Handshake result;
  for (int turn = 0; turn < 20 && !result.done; ++turn) {
    const int client_done = SSL_do_handshake(client.get());
    const int server_done = SSL_do_handshake(server.get());
    result.done = client_done == 1 && server_done == 1;
  }
  result.version = SSL_get_version(client.get());
  const unsigned char* protocol = nullptr;
  unsigned protocol_bytes = 0;
  SSL_get0_alpn_selected(client.get(), &protocol, &protocol_bytes);
  if (protocol_bytes > 0) result.protocol.assign(reinterpret_cast<const char*>(protocol), protocol_bytes);
  EVP_PKEY* exchanged = nullptr;
  if (SSL_get_peer_tmp_key(client.get(), &exchanged) == 1) result.group = EVP_PKEY_get0_type_name(exchanged);
  EVP_PKEY_free(exchanged);
  return result;
}

void offer(SSL_CTX* client, std::string_view protocols) {
  SSL_CTX_set_alpn_protos(client, reinterpret_cast<const unsigned char*>(protocols.data()),
                          static_cast<unsigned>(protocols.size()));
}

TEST_F(TlsContextTest, PrefersTls13AndH2) {
  const auto context = make();
  ASSERT_TRUE(context) << context.error().to_string();
  const auto shake = shake_hands((*context)->native_handle(), [](SSL_CTX* c) { offer(c, "\x08http/1.1\x02h2"); });
  EXPECT_TRUE(shake.done);
  EXPECT_EQ(shake.version, "TLSv1.3");
  EXPECT_EQ(shake.protocol, "h2");
}

TEST_F(TlsContextTest, FallsBackToHttp11AndTls12) {
  const auto context = make();
  const auto shake = shake_hands((*context)->native_handle(), [](SSL_CTX* c) {
    SSL_CTX_set_max_proto_version(c, TLS1_2_VERSION);
    offer(c, "\x05other\x08http/1.1");
  });
  EXPECT_TRUE(shake.done);
  EXPECT_EQ(shake.version, "TLSv1.2");
  EXPECT_EQ(shake.protocol, "http/1.1");
}

TEST_F(TlsContextTest, ClientWithoutAlpnIsServed) {
  const auto context = make();
  const auto shake = shake_hands((*context)->native_handle(), [](SSL_CTX*) {});
  EXPECT_TRUE(shake.done);
  EXPECT_EQ(shake.protocol, "");
}

TEST_F(TlsContextTest, RefusesUnknownAlpnOldTlsAndWeakCiphers) {
  const auto context = make();
  SSL_CTX* const native = (*context)->native_handle();
  EXPECT_FALSE(shake_hands(native, [](SSL_CTX* c) { offer(c, "\x05other"); }).done);
  EXPECT_FALSE(shake_hands(native, [](SSL_CTX* c) {
                 SSL_CTX_set_security_level(c, 0);
                 SSL_CTX_set_min_proto_version(c, TLS1_VERSION);
                 SSL_CTX_set_max_proto_version(c, TLS1_1_VERSION);
               }).done);
  EXPECT_FALSE(shake_hands(native, [](SSL_CTX* c) {
                 SSL_CTX_set_max_proto_version(c, TLS1_2_VERSION);
                 SSL_CTX_set_cipher_list(c, "ECDHE-ECDSA-AES128-SHA256");
               }).done);
}

TEST_F(TlsContextTest, UsesTheGroupsItIsTold) {
  const auto context = make("X448:P-256");
  ASSERT_TRUE(context) << context.error().to_string();
  EXPECT_EQ(shake_hands((*context)->native_handle(), [](SSL_CTX* c) { SSL_CTX_set1_groups_list(c, "X448"); }).group,
            "X448");
  EXPECT_FALSE(
      shake_hands((*context)->native_handle(), [](SSL_CTX* c) { SSL_CTX_set1_groups_list(c, "X25519"); }).done);
}

TEST_F(TlsContextTest, NamesAGroupThatTheLibraryDoesNotKnow) {
  EXPECT_THAT(error("cert.pem", "key.pem", "X25519:FutureGroup42:P-256"),
              HasSubstr("key-exchange group 'FutureGroup42' is not known to OpenSSL"));
  EXPECT_THAT(error("cert.pem", "key.pem", "X25519::P-256"), HasSubstr("key-exchange group '' is not known"));
}

TEST_F(TlsContextTest, SaysWhichFileIsMissing) {
  EXPECT_EQ(error("nowhere.pem", "key.pem"),
            fmt::format("cannot read certificate file {}: No such file or directory", path("nowhere.pem")));
  EXPECT_EQ(error("cert.pem", "nowhere.pem"),
            fmt::format("cannot read key file {}: No such file or directory", path("nowhere.pem")));
  EXPECT_THAT(error("", "key.pem"), HasSubstr("not a regular file"));
}

TEST_F(TlsContextTest, SaysWhichFileIsNoPem) {
  write("text.pem", "this is no certificate\n");
  write("empty.pem", "");
  write("damaged.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  EXPECT_THAT(error("damaged.pem", "key.pem"), HasSubstr("damaged.pem is damaged"));
  EXPECT_THAT(error("text.pem", "key.pem"), HasSubstr("text.pem holds no certificate in PEM form"));
  EXPECT_THAT(error("empty.pem", "key.pem"), HasSubstr("empty.pem holds no certificate in PEM form"));
  EXPECT_THAT(error("key.pem", "key.pem"), HasSubstr("key.pem holds no certificate in PEM form"));
  EXPECT_THAT(error("cert.pem", "text.pem"), HasSubstr("text.pem holds no private key in PEM form"));
  EXPECT_THAT(error("cert.pem", "cert.pem"), HasSubstr("cert.pem holds no private key in PEM form"));
}

TEST_F(TlsContextTest, SaysThatKeyAndCertificateDoNotMatch) {
  write("other.pem", pem_of(make_ec_key().get()));
  EXPECT_EQ(error("cert.pem", "other.pem"),
            fmt::format("key file {} does not belong to the certificate in {}", path("other.pem"), path("cert.pem")));
  const Key rsa(EVP_RSA_gen(2048));
  write("rsa.pem", pem_of(rsa.get()));
  EXPECT_THAT(error("cert.pem", "rsa.pem"), HasSubstr("does not belong to the certificate"));
}

TEST_F(TlsContextTest, RefusesKeyWithPassphraseWithoutPrompt) {
  write("locked.pem", encrypted_pem_of(key_.get()));
  EXPECT_THAT(error("cert.pem", "locked.pem"), HasSubstr("locked.pem has a passphrase"));
}

TEST_F(TlsContextTest, RefusesAKeyThatOthersMayRead) {
  ::chmod(path("key.pem").c_str(), 0604);
  EXPECT_EQ(error("cert.pem", "key.pem"),
            fmt::format("key file {} can be read by others; run: chmod 600 {}", path("key.pem"), path("key.pem")));
  ::chmod(path("key.pem").c_str(), 0640);
  EXPECT_TRUE(make()) << "a group may share a key";
}

TEST_F(TlsContextTest, ServesTheWholeChain) {
  const Key other = make_ec_key();
  const Certificate second = make_certificate(other.get());
  std::ofstream(path("cert.pem"), std::ios::app) << pem_of([&](BIO* out) { PEM_write_bio_X509(out, second.get()); });
  const auto context = make();
  ASSERT_TRUE(context);
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs((*context)->native_handle(), &chain);
  if (chain == nullptr) SSL_CTX_get_extra_chain_certs((*context)->native_handle(), &chain);
  EXPECT_EQ(sk_X509_num(chain), 1);
}

}  // namespace
}  // namespace hyperscale::runtime
