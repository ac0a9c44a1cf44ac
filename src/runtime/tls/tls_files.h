// Shared by all TLS contexts of a node: reading and validation of files, and the cipher policy; private to this folder.
//
// Failure: InvalidArgument with one sentence that names the file and what to do.
#pragma once

#include "base/result.h"

#include <string>

#include <boost/asio/ssl/context.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

// TLS 1.2 and 1.3, forward secrecy and authenticated ciphers only, no renegotiation, no compression.
Status use_policy(asio::ssl::context& context);
Status use_certificate(asio::ssl::context& context, const std::string& path);
// REQUIRES: use_certificate came first; the key must belong to it.
Status use_key(asio::ssl::context& context, const std::string& path, const std::string& cert_file);
// The certificates in this file are trusted to sign others.
Status use_authority(asio::ssl::context& context, const std::string& path);
Status use_groups(asio::ssl::context& context, const std::string& groups);

}  // namespace hyperscale::runtime
