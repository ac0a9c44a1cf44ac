// Why TLS failed, as one sentence for people. The verify callback notes what is wrong with a certificate while OpenSSL
// still has it; describe_tls_failure() turns that, or OpenSSL's error queue, into the sentence. Only runs when
// something failed.
#pragma once

#include "load/protocols/tls/openssl_owner.h"

#include <string>

namespace hyperscale::load {

// Where an SSL object keeps its TlsServer and its transport's note.
int tls_server_index();
int tls_note_index();

// For SSL_CTX_set_verify. Writes into the std::string at tls_note_index().
int note_bad_certificate(int verified, X509_STORE_CTX* store);

// Empties OpenSSL's error queue. `handshaking` tells where it happened; `note` is what the callback wrote.
std::string describe_tls_failure(bool handshaking, const std::string& note);

}  // namespace hyperscale::load
