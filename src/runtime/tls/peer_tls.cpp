#include "runtime/tls/peer_tls.h"

#include "runtime/tls/tls_files.h"

#include <utility>

#include <boost/asio/ssl/error.hpp>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace hyperscale::runtime {
namespace {

using Context = asio::ssl::context;

struct NamesFree {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

Result<std::shared_ptr<Context>> make(Context::method method, const PeerTlsFiles& files) {
  auto context = std::make_shared<Context>(method);
  if (auto done = use_policy(*context); !done) return fail(done.error());
  if (auto done = use_certificate(*context, files.cert_file); !done) return fail(done.error());
  if (auto done = use_key(*context, files.key_file, files.cert_file); !done) return fail(done.error());
  if (auto done = use_authority(*context, files.ca_file); !done) return fail(done.error());
  SSL_CTX* const native = context->native_handle();
  ::SSL_CTX_set_options(native, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_verify(native, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return context;
}

std::vector<std::string> uris_of(const X509* certificate) {
  std::vector<std::string> uris;
  if (certificate == nullptr) return uris;
  const std::unique_ptr<GENERAL_NAMES, NamesFree> names(
      static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  const int count = names ? sk_GENERAL_NAME_num(names.get()) : 0;
  for (int i = 0; i < count && uris.size() <= kPeerUrisMax; ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI) continue;
    const ASN1_IA5STRING* const text = name->d.uniformResourceIdentifier;
    std::string uri(reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
                    static_cast<std::size_t>(::ASN1_STRING_length(text)));
    if (uri.find('\0') == std::string::npos) uris.push_back(std::move(uri));
  }
  return uris;
}

}  // namespace

Result<std::shared_ptr<Context>> make_acceptor_tls_context(const PeerTlsFiles& files) {
  auto context = make(Context::tls_server, files);
  // No session tickets, so that no client can resume a session without its certificate.
  if (context) SSL_CTX_set_num_tickets((*context)->native_handle(), 0);
  return context;
}

Result<std::shared_ptr<Context>> make_initiator_tls_context(const PeerTlsFiles& files) {
  return make(Context::tls_client, files);
}

void require_address(SSL* connection, const std::string& address) {
  X509_VERIFY_PARAM* const rules = ::SSL_get0_param(connection);
  ::X509_VERIFY_PARAM_set1_ip_asc(rules, address.c_str());
}

std::vector<std::string> peer_uris(SSL* connection) {
  return uris_of(::SSL_get0_peer_certificate(connection));
}

std::vector<std::string> own_uris(Context& context) {
  return uris_of(::SSL_CTX_get0_certificate(context.native_handle()));
}

std::string handshake_failure(SSL* connection, const boost::system::error_code& error) {
  const auto code = static_cast<unsigned long>(static_cast<unsigned>(error.value()));
  const char* const reason =
      error.category() == asio::error::get_ssl_category() ? ::ERR_reason_error_string(code) : nullptr;
  std::string text = reason != nullptr ? reason : error.message();
  if (const long verdict = ::SSL_get_verify_result(connection); verdict != X509_V_OK)
    text += fmt::format(": {}", ::X509_verify_cert_error_string(verdict));
  return text;
}

}  // namespace hyperscale::runtime
