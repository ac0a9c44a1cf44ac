#include "load/protocols/tls/tls_details.h"

#include "load/protocols/tls/certificate_text.h"

namespace hyperscale::load {

TlsDetails tls_details_of(const SSL* ssl) {
  TlsDetails details;
  details.version = SSL_get_version(ssl);
  details.cipher = SSL_get_cipher_name(ssl);
  const unsigned char* alpn = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &alpn, &size);
  if (size > 0) details.alpn.assign(reinterpret_cast<const char*>(alpn), size);
  details.resumed = SSL_session_reused(ssl) == 1;
  const X509* certificate = SSL_get0_peer_certificate(ssl);
  if (certificate == nullptr) return details;
  details.subject = name_text(X509_get_subject_name(certificate));
  details.issuer = name_text(X509_get_issuer_name(certificate));
  details.names = names_of(certificate);
  details.not_before = time_text(X509_get0_notBefore(certificate));
  details.not_after = time_text(X509_get0_notAfter(certificate));
  return details;
}

}  // namespace hyperscale::load
