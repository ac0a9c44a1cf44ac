#pragma once
#include "std.h"

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

// Nearly every file turns one of these into an any_io_executor; instantiated here, it is paid for once (2 s a file).
namespace hyperscale::precompiled {
inline boost::asio::any_io_executor of_loop(boost::asio::io_context& io) {
  return io.get_executor();
}
inline boost::asio::any_io_executor of_strand(boost::asio::io_context& io) {
  return boost::asio::make_strand(io.get_executor());
}
}  // namespace hyperscale::precompiled
