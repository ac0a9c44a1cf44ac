// RunApiSetup: where a run answers on HTTP, and who may use it. Reading it erases the token from the environment.
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
  runtime::SecretHandle token = nullptr;                     // null: one is made when the run starts
  std::vector<std::string> hosts = {};                       // names that Host may carry besides addresses
  std::shared_ptr<boost::asio::ssl::context> tls = nullptr;  // null: plain text
};

// The token comes from --api-token-file or HYPERSCALE_ADMIN_TOKEN. REQUIRES: --api. Fails with the sentence that the
// user sees.
Result<RunApiSetup> read_run_api(const intake::ApiOptions& options);

}  // namespace hyperscale::node
