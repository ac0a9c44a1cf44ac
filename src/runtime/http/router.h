// Router: which handler answers which method and path, and the limits of each route.
//
// Filled before the server starts, then only read: lookups from any thread. Routes are few (tens), so a lookup is a
// scan of the paths; the longest matching pattern wins and an exact path beats every prefix. A route's path is also its
// metrics label `endpoint`, so a path is a pattern and never holds an id.
#pragma once

#include "base/time.h"
#include "runtime/http/http_message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

// Runs on the strand of the connection: it must not block. It may end with an exception (answered as Internal). The
// function object lives as long as any call of it, so a coroutine lambda may use its captures.
using Handler = std::function<asio::awaitable<Response>(std::shared_ptr<const Request>)>;

struct Route {
  std::string method;  // GET also answers HEAD
  std::string path;    // exact, or a prefix when it ends in "/*"
  Handler handler = nullptr;
  std::optional<Duration> deadline = std::nullopt;             // default: HttpLimits::deadline
  std::optional<std::uint32_t> concurrency = std::nullopt;     // default: HttpLimits::concurrency_per_route
  std::optional<std::uint64_t> body_bytes_max = std::nullopt;  // default: HttpLimits::body_bytes_max
  bool admin = false;                                          // needs the token (access_rules.h)
  bool while_draining = false;                                 // still answered after set_draining()
};

class Router {
 public:
  // REQUIRES: a handler, a path that begins with '/', and no other route of the same method and path.
  void add(Route route);

  struct Match {
    std::optional<std::size_t> route;  // index into routes()
    std::string allow;                 // when only the method is wrong: the methods that would do, for `Allow`
  };
  Match match(std::string_view method, std::string_view path) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace hyperscale::runtime
