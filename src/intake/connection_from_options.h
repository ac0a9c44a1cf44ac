// Builds the settings of connections from options: addresses, timeouts, HTTP version, TLS.
//
// Reads the certificate files that the options name; otherwise pure. Any thread.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/plan.h"

namespace hyperscale::intake {

Result<plan::Network> network_of(const NetworkOptions& options);
Result<plan::Http> http_of(const HttpOptions& options);
Result<plan::Tls> tls_of(const TlsOptions& options);

}  // namespace hyperscale::intake
