// Helpers of accept(): ALPN of a TLS listener, and refusal of a connection over a limit.
// Thread rule: the strand of the acceptor.
#pragma once

#include <boost/asio/ip/tcp.hpp>

namespace boost::asio::ssl {
class context;
}

namespace hyperscale::runtime {

// Makes the context offer h2 and http/1.1 in its TLS handshakes.
void offer_http_versions(boost::asio::ssl::context& tls);

// Ends a connection that is over a limit: a canned 503 when the peer can read it, then close. Never waits.
void turn_away(boost::asio::ip::tcp::socket& socket, bool plain_text);

}  // namespace hyperscale::runtime
