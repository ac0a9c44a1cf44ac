// Server-side TLS settings from a certificate chain and a private key.
//
// TLS 1.2 and 1.3 (preferred), forward secrecy and authenticated ciphers only, no renegotiation, no compression. ALPN
// picks h2, then http/1.1; a client that offers neither is refused, one that offers nothing gets no protocol.
//
// Thread rule: the result may be shared by every connection of every thread. Reads the two files, so call it at start
// or on the blocking pool.
//
// Failure: InvalidArgument with one sentence that names the file and what to do: a file that is missing or no PEM, a
// key that others may read, that has a passphrase or that does not belong to the certificate, an unknown group.
#pragma once

#include "base/result.h"

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

inline constexpr std::size_t kTlsFileBytesMax = 1024UL * 1024;

// `groups` lists key-exchange groups in order of preference, such as "X25519MLKEM768:X25519"; empty = the library's own
// choice. Enables post-quantum key exchange with a library that supports it.
Result<std::shared_ptr<asio::ssl::context>> make_server_tls_context(const std::string& cert_file,
                                                                    const std::string& key_file,
                                                                    const std::string& groups = {});

}  // namespace hyperscale::runtime
