// How coroutines of this module wait: with the error as a value, not as an exception. Named constants, because
// compilers have miscounted the destruction of temporaries inside co_await expressions.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hyperscale::runtime {

inline constexpr boost::asio::as_tuple_t<boost::asio::use_awaitable_t<>> kAwait{};
inline constexpr boost::asio::use_awaitable_t<> kAwaitThrowing{};

}  // namespace hyperscale::runtime
