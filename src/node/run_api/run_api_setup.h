// RunApiSetup: address, token and TLS of the HTTP API of a run. Reading it erases the token from the environment.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "runtime/secret/secret.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio::ssl {
class context;
}

namespace hyperscale::node {

struct RunApiSetup {
  std::string host;  // literal address or "localhost"
  std::uint16_t port = 0;
  runtime::SecretHandle token = nullptr;                     // null: generated when the run starts
  std::vector<std::string> hosts = {};                       // names accepted in Host besides addresses
  std::shared_ptr<boost::asio::ssl::context> tls = nullptr;  // null: plain text
};

// The token comes from --api-token-file or HYPERSCALE_ADMIN_TOKEN. REQUIRES: --api. The error is the sentence shown to
// the user.
Result<RunApiSetup> read_run_api(const intake::ApiOptions& options);

}  // namespace hyperscale::node
