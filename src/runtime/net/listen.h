// Opens a listening socket. Thread rule: the owner of the acceptor.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

#include <boost/asio/ip/tcp.hpp>

namespace hyperscale::runtime {

// Opens, binds and listens (SO_REUSEADDR, non-blocking). `host` is a literal IPv4 or IPv6 address or "localhost"; port
// 0 takes a free one. Returns where; the error names address and cause.
Result<boost::asio::ip::tcp::endpoint> listen_on(boost::asio::ip::tcp::acceptor& acceptor, const std::string& host,
                                                 std::uint16_t port);

}  // namespace hyperscale::runtime
