#include "runtime/tls/tls_context.h"

#include "runtime/tls/tls_files.h"

#include <openssl/ssl.h>

namespace hyperscale::runtime {
namespace {

using Context = asio::ssl::context;

// In order of preference, as ALPN writes it: each name after its length.
constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";
constexpr unsigned kProtocolsBytes = sizeof(kProtocols) - 1;

int select_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes, const unsigned char* offered,
                    unsigned offered_bytes, void*) {
  unsigned char* match = nullptr;
  const int found = ::SSL_select_next_proto(&match, chosen_bytes, kProtocols, kProtocolsBytes, offered, offered_bytes);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<std::shared_ptr<asio::ssl::context>> make_server_tls_context(const std::string& cert_file,
                                                                    const std::string& key_file,
                                                                    const std::string& groups) {
  auto context = std::make_shared<Context>(Context::tls_server);
  if (auto done = use_policy(*context); !done) return fail(done.error());
  ::SSL_CTX_set_alpn_select_cb(context->native_handle(), select_protocol, nullptr);
  if (auto done = use_certificate(*context, cert_file); !done) return fail(done.error());
  if (auto done = use_key(*context, key_file, cert_file); !done) return fail(done.error());
  if (auto done = use_groups(*context, groups); !done) return fail(done.error());
  return context;
}

}  // namespace hyperscale::runtime
