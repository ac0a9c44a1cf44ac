#include "target/self_signed.h"

#include <memory>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace hyperscale::target {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype([](BIO* bio) { BIO_free(bio); })>;
using CertificatePtr = std::unique_ptr<X509, decltype([](X509* certificate) { X509_free(certificate); })>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype([](EVP_PKEY* key) { EVP_PKEY_free(key); })>;
using ExtensionPtr =
    std::unique_ptr<X509_EXTENSION, decltype([](X509_EXTENSION* extension) { X509_EXTENSION_free(extension); })>;

constexpr long kValidSeconds = 365L * 24 * 3600;
constexpr long kClockSkewSeconds = 3600;

bool add_extension(X509* certificate, int kind, const char* value) {
  const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  std::uint64_t serial = 0;
  return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1;
}

bool set_names(X509* certificate) {
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* common_name = reinterpret_cast<const unsigned char*>("localhost");
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 &&
         add_extension(certificate, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1") &&
         add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         add_extension(certificate, NID_ext_key_usage, "serverAuth");
}

bool fill(X509* certificate, EVP_PKEY* key) {
  constexpr long kVersion3 = 2;
  return X509_set_version(certificate, kVersion3) == 1 && set_serial(certificate) &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), -kClockSkewSeconds) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kValidSeconds) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 && set_names(certificate) &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

Result<CertificateAndKey> make_self_signed() {
  const KeyPtr key(EVP_EC_gen("P-256"));
  const CertificatePtr certificate(X509_new());
  const BioPtr cert_bio(BIO_new(BIO_s_mem()));
  const BioPtr key_bio(BIO_new(BIO_s_mem()));
  const bool made = key && certificate && cert_bio && key_bio && fill(certificate.get(), key.get()) &&
                    PEM_write_bio_X509(cert_bio.get(), certificate.get()) == 1 &&
                    PEM_write_bio_PrivateKey(key_bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!made) return fail(ErrorCode::kInternal, "could not make a self-signed certificate");
  return CertificateAndKey{text(cert_bio.get()), text(key_bio.get())};
}

}  // namespace hyperscale::target
