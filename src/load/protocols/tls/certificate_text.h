// Fields of a certificate as text for people: subject, issuer, validity. Pure functions; they allocate and are not for
// the hot path. Bytes that are not printable ASCII are escaped.
#pragma once

#include <string>
#include <vector>

#include <openssl/x509.h>

namespace hyperscale::load {

std::string name_text(const X509_NAME* name);  // "CN=a.example,O=Example"
std::string common_name(const X509_NAME* name);
std::string time_text(const ASN1_TIME* time);  // "2026-11-16 01:43:11 UTC"
// Host names and addresses that the certificate is for: its subject alternative names, or the common name without any.
std::vector<std::string> names_of(const X509* certificate);

}  // namespace hyperscale::load
