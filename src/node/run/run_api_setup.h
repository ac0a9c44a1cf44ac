// RunApiSetup: where a run answers on HTTP, and who may change it. Plain value; reading it erases the token from the
// environment.
#pragma once

#include "base/result.h"
#include "runtime/secret/secret.h"

#include <cstdint>
#include <string>

namespace hyperscale::node {

struct RunApiSetup {
  std::string host;  // literal address or "localhost"
  std::uint16_t port = 0;
  runtime::SecretHandle token;
};

// "HOST:PORT"; the token comes from HYPERSCALE_ADMIN_TOKEN. Fails with the sentence that the user sees.
Result<RunApiSetup> read_run_api(const std::string& address);

}  // namespace hyperscale::node
