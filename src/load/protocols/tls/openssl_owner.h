// Owners of OpenSSL's objects. Plain values; not shared between threads.
#pragma once

#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace hyperscale::load {

template <auto free>
struct OpensslFree {
  template <typename T>
  void operator()(T* object) const {
    free(object);
  }
};

using SslContextOwner = std::unique_ptr<SSL_CTX, OpensslFree<SSL_CTX_free>>;
using SslOwner = std::unique_ptr<SSL, OpensslFree<SSL_free>>;
using SslSessionOwner = std::unique_ptr<SSL_SESSION, OpensslFree<SSL_SESSION_free>>;
using CertificateOwner = std::unique_ptr<X509, OpensslFree<X509_free>>;
using KeyOwner = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using BioOwner = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using NamesOwner = std::unique_ptr<GENERAL_NAMES, OpensslFree<GENERAL_NAMES_free>>;

}  // namespace hyperscale::load
