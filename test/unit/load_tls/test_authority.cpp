#include "test_authority.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>

namespace hyperscale::load {
namespace {

KeyOwner new_key() {
  return KeyOwner(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
}

std::string contents(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const BioOwner memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(memory.get(), certificate);
  return contents(memory.get());
}

std::string pem_of(EVP_PKEY* key) {
  const BioOwner memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return contents(memory.get());
}

void add_extension(X509* certificate, int nid, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value.c_str());
  ASSERT_NE(extension, nullptr) << value;
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

CertificateOwner unsigned_certificate(const CertificateWish& wish, EVP_PKEY* key) {
  static long serial = 1;
  CertificateOwner certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), wish.valid_from_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), wish.valid_to_s);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(wish.common_name.c_str()), -1, -1, 0);
  if (!wish.names.empty())
    add_extension(certificate.get(), NID_subject_alt_name, fmt::format("{}", fmt::join(wish.names, ",")));
  return certificate;
}

}  // namespace

TestAuthority::TestAuthority(const std::string& common_name) : key_(new_key()) {
  certificate_ = unsigned_certificate({.common_name = common_name, .names = {}}, key_.get());
  add_extension(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
  X509_sign(certificate_.get(), key_.get(), EVP_sha256());
  pem_ = pem_of(certificate_.get());
}

Identity TestAuthority::issue(const CertificateWish& wish) const {
  const KeyOwner key = new_key();
  const CertificateOwner certificate = unsigned_certificate(wish, key.get());
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate_.get()));
  X509_sign(certificate.get(), key_.get(), EVP_sha256());
  return {pem_of(certificate.get()), pem_of(key.get())};
}

Identity self_signed(const CertificateWish& wish) {
  const KeyOwner key = new_key();
  const CertificateOwner certificate = unsigned_certificate(wish, key.get());
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  return {pem_of(certificate.get()), pem_of(key.get())};
}

}  // namespace hyperscale::load
