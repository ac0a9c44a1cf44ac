// TlsDetails of a connection, read from OpenSSL: the result of its handshake, as text for people.
#pragma once

#include "load/protocols/exchange_details.h"
#include "load/protocols/tls/openssl_owner.h"

namespace hyperscale::load {

// REQUIRES: the handshake is done.
TlsDetails tls_details_of(const SSL* ssl);

}  // namespace hyperscale::load
