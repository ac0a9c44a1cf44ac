#include "runtime/net/listen.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

Result<tcp::endpoint> listen_on(tcp::acceptor& acceptor, const std::string& host, std::uint16_t port) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not an IPv4 or IPv6 address", host));
  const tcp::endpoint wanted(address, port);
  acceptor.open(wanted.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(wanted, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) acceptor.non_blocking(true, error);
  if (error) {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    return fail(ErrorCode::kUnavailable, fmt::format("cannot listen on {}:{}: {}", host, port, error.message()));
  }
  return acceptor.local_endpoint();
}

}  // namespace hyperscale::runtime
