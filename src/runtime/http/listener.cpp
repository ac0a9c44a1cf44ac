#include "runtime/http/listener.h"

#include <array>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>

namespace hyperscale::runtime {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::string_view kTurnedAway =
    "HTTP/1.1 503 Service Unavailable\r\n"
    "content-length: 0\r\n"
    "retry-after: 1\r\n"
    "connection: close\r\n\r\n";

constexpr unsigned char kOffer[] = "\x02h2\x08http/1.1";

int select_alpn(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
                void*) {
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_size, kOffer, sizeof(kOffer) - 1, in, in_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

void offer_http_versions(asio::ssl::context& tls) {
  SSL_CTX_set_alpn_select_cb(tls.native_handle(), select_alpn, nullptr);
}

void turn_away(tcp::socket& socket, bool plain_text) {
  boost::system::error_code error;
  if (plain_text) socket.non_blocking(true, error);
  boost::system::error_code ignored;
  if (plain_text && !error) {
    socket.write_some(asio::buffer(kTurnedAway.data(), kTurnedAway.size()), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    // Read what has arrived: closing with unread input would reset the connection and lose the answer.
    std::array<char, 4096> waste;
    socket.read_some(asio::buffer(waste), ignored);
  }
  socket.close(ignored);
}

}  // namespace hyperscale::runtime
