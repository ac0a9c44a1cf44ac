#include "node/run_api/run_api_setup.h"

#include "plan/option_values.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/listen_address.h"
#include "runtime/secret/secret_source.h"
#include "runtime/tls/tls_context.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

Result<runtime::SecretHandle> token_of(const intake::ApiOptions& options) {
  auto variable = runtime::take_secret_from_environment(std::string(runtime::kAdminTokenVariable).c_str());
  if (!variable) return plan::wrong_option("--api", variable.error().context);
  if (options.token_file.empty()) return std::move(*variable);
  auto file = runtime::read_secret_file(options.token_file);
  if (!file) return plan::wrong_option("--api-token-file", file.error().context);
  return std::move(*file);
}

}  // namespace

Result<RunApiSetup> read_run_api(const intake::ApiOptions& options) {
  const auto listen = runtime::parse_listen_address(options.listen);
  if (!listen) return plan::wrong_option("--api", listen.error().context);
  auto token = token_of(options);
  if (!token) return fail(token.error());
  RunApiSetup setup{.host = listen->host, .port = listen->port, .token = std::move(*token), .hosts = options.hosts};
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return plan::wrong_option(options.key_file.empty() ? "--api-cert" : "--api-key",
                              "TLS needs both --api-cert and --api-key");
  }
  if (!options.certificate_file.empty()) {
    auto tls = runtime::make_server_tls_context(options.certificate_file, options.key_file);
    if (!tls) return plan::wrong_option("--api-cert", tls.error().context);
    setup.tls = std::move(*tls);
  }
  if (!setup.tls && !runtime::is_loopback(*listen)) {
    return plan::wrong_option("--api", fmt::format("others can reach {} and would see its token in clear text: add "
                                                   "--api-cert FILE and --api-key FILE, or listen on 127.0.0.1",
                                                   plan::shown(options.listen)));
  }
  return setup;
}

}  // namespace hyperscale::node
