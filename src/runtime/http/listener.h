// Listening and turning away: the socket calls around accept(). Thread rule: the strand of the acceptor.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>

namespace boost::asio::ssl {
class context;
}

namespace hyperscale::runtime {

// Opens, binds and listens (SO_REUSEADDR, non-blocking). The error names address and cause.
Result<boost::asio::ip::tcp::endpoint> listen_on(boost::asio::ip::tcp::acceptor& acceptor, const std::string& host,
                                                 std::uint16_t port);

// Makes the context offer h2 and http/1.1 in its TLS handshakes.
void offer_http_versions(boost::asio::ssl::context& tls);

// Ends a connection that is over a limit: a canned 503 when the peer can read it, then close. Never waits.
void turn_away(boost::asio::ip::tcp::socket& socket, bool plain_text);

}  // namespace hyperscale::runtime
