// The server's TLS settings: TLS 1.2 and 1.3, ALPN h2 before http/1.1. A context is shared by all cores.
#pragma once

#include "base/result.h"

#include <memory>
#include <string_view>

#include <openssl/ssl.h>

namespace hyperscale::target {

// PEM text, not file names; further certificates after the first are the chain. Fails with kInvalidArgument.
Result<std::shared_ptr<SSL_CTX>> make_tls_context(std::string_view cert_pem, std::string_view key_pem);

}  // namespace hyperscale::target
