#include "target/tls_context.h"

#include <array>
#include <string>

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace hyperscale::target {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype([](BIO* bio) { BIO_free(bio); })>;
using CertificatePtr = std::unique_ptr<X509, decltype([](X509* certificate) { X509_free(certificate); })>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype([](EVP_PKEY* key) { EVP_PKEY_free(key); })>;

tl::unexpected<Error> tls_failure(std::string_view what) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  ERR_clear_error();
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", what, reason.data()));
}

BioPtr reader(std::string_view pem) {
  return BioPtr(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

Status use_certificates(SSL_CTX* context, std::string_view pem) {
  const BioPtr bio = reader(pem);
  const CertificatePtr first(PEM_read_bio_X509_AUX(bio.get(), nullptr, nullptr, nullptr));
  if (!first || SSL_CTX_use_certificate(context, first.get()) != 1) return tls_failure("the certificate is not usable");
  while (X509* further = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    if (SSL_CTX_add0_chain_cert(context, further) != 1) {
      X509_free(further);
      return tls_failure("the chain of the certificate is not usable");
    }
  }
  ERR_clear_error();  // the end of the text
  return {};
}

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size, const unsigned char* offered,
                    unsigned int offered_size, void*) {
  static constexpr std::array<unsigned char, 12> kOurs{2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* match = nullptr;
  const int found = SSL_select_next_proto(&match, chosen_size, kOurs.data(), kOurs.size(), offered, offered_size);
  *chosen = match;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

Result<std::shared_ptr<SSL_CTX>> make_tls_context(std::string_view cert_pem, std::string_view key_pem) {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), [](SSL_CTX* made) { SSL_CTX_free(made); });
  if (!context) return tls_failure("TLS is not available");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  if (Status used = use_certificates(context.get(), cert_pem); !used) return fail(used.error());
  const BioPtr bio = reader(key_pem);
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  if (!key || SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) return tls_failure("the key is not usable");
  if (SSL_CTX_check_private_key(context.get()) != 1) return tls_failure("the key does not belong to the certificate");
  return context;
}

}  // namespace hyperscale::target
