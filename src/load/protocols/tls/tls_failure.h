// Why TLS failed, as one sentence for people. The verify callback notes the fault of a certificate while OpenSSL still
// has it; describe_tls_failure() makes the sentence from this note or from OpenSSL's error queue. Runs only after a
// failure.
#pragma once

#include "load/protocols/tls/openssl_owner.h"

#include <string>

namespace hyperscale::load {

// Indices of an SSL object's TlsServer and of its transport's note.
int tls_server_index();
int tls_note_index();

// For SSL_CTX_set_verify. Writes into the std::string at tls_note_index().
int note_bad_certificate(int verified, X509_STORE_CTX* store);

// Empties OpenSSL's error queue. `handshaking`: the failure was in the handshake; `note` is the text of the callback.
std::string describe_tls_failure(bool handshaking, const std::string& note);

}  // namespace hyperscale::load
