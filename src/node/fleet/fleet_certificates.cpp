#include "node/fleet/fleet_certificates.h"

#include "base/check.h"

#include <array>

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace hyperscale::node {
namespace {

constexpr long kHour_s = 3600;
constexpr long kDay_s = 24 * kHour_s;

template <auto Free>
struct Freed {
  void operator()(auto* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;

Key new_key() {
  Key key(EVP_EC_gen("P-256"));
  CHECK(key != nullptr, "no EC key");
  return key;
}

void add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  CHECK(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "extension {}", value);
}

Certificate new_certificate(const std::string& common_name, EVP_PKEY* key) {
  Certificate certificate(X509_new());
  CHECK(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  const Number serial(BN_new());
  CHECK(BN_rand(serial.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1);
  CHECK(BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate.get())) != nullptr);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kHour_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kFleetCertificateDays * kDay_s);
  CHECK(X509_set_pubkey(certificate.get(), key) == 1);
  const auto* const text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  CHECK(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1);
  return certificate;
}

std::string text_of(const Memory& memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

PemPair pem_of(X509* certificate, EVP_PKEY* key) {
  const Memory public_part(BIO_new(BIO_s_mem()));
  const Memory private_part(BIO_new(BIO_s_mem()));
  CHECK(PEM_write_bio_X509(public_part.get(), certificate) == 1);
  CHECK(PEM_write_bio_PKCS8PrivateKey(private_part.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return {.certificate = text_of(public_part), .key = text_of(private_part)};
}

}  // namespace

struct FleetAuthority::Parts {
  Key key;
  Certificate certificate;
};

FleetAuthority::FleetAuthority() : parts_(std::make_unique<Parts>()) {
  parts_->key = new_key();
  parts_->certificate = new_certificate("Hyperscale local cluster", parts_->key.get());
  X509* const own = parts_->certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  add_extension(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(own, own, NID_subject_key_identifier, "hash");
  CHECK(X509_sign(own, parts_->key.get(), EVP_sha256()) > 0);
}

FleetAuthority::~FleetAuthority() = default;

PemPair FleetAuthority::own() const {
  return pem_of(parts_->certificate.get(), parts_->key.get());
}

PemPair FleetAuthority::issue(const std::string& node_name, const wire::CertificateIdentity& identity,
                              const std::string& address) const {
  const Key key = new_key();
  const Certificate certificate = new_certificate(node_name, key.get());
  X509* const issuer = parts_->certificate.get();
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
  add_extension(certificate.get(), issuer, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate.get(), issuer, NID_key_usage, "critical,digitalSignature");
  add_extension(certificate.get(), issuer, NID_ext_key_usage, "serverAuth,clientAuth");
  add_extension(certificate.get(), issuer, NID_authority_key_identifier, "keyid");
  add_extension(certificate.get(), issuer, NID_subject_alt_name,
                fmt::format("IP:{},URI:hyperscale://role/{},URI:hyperscale://cluster/{},"
                            "URI:hyperscale://env/{},URI:hyperscale://dc/{}",
                            address, name(identity.role), identity.cluster, identity.environment, identity.datacenter));
  CHECK(X509_sign(certificate.get(), parts_->key.get(), EVP_sha256()) > 0);
  return pem_of(certificate.get(), key.get());
}

}  // namespace hyperscale::node
