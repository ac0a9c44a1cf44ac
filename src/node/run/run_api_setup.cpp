#include "node/run/run_api_setup.h"

#include "node/run/option_values.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/listen_address.h"
#include "runtime/secret/secret_source.h"

#include <utility>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

namespace hyperscale::node {

Result<RunApiSetup> read_run_api(const std::string& address) {
  const auto listen = runtime::parse_listen_address(address);
  if (!listen) return wrong_option("--api", listen.error().context);
  auto token = runtime::take_secret_from_environment(runtime::kAdminTokenVariable.data());
  if (!token) return wrong_option("--api", token.error().context);
  boost::system::error_code bad;
  const auto ip = boost::asio::ip::make_address(listen->host, bad);
  const bool loopback = listen->host == "localhost" || (!bad && ip.is_loopback());
  if (!loopback && !*token) {
    return wrong_option("--api", fmt::format("others can reach {}: set {} to a token of at least {} characters",
                                             shown(address), runtime::kAdminTokenVariable, runtime::kSecretBytesMin));
  }
  return RunApiSetup{.host = listen->host, .port = listen->port, .token = std::move(*token)};
}

}  // namespace hyperscale::node
