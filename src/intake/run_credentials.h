// Credentials of the command line: reads them from their sources, and collects the secret texts of a run.
//
//   --auth @FILE, -H @FILE, --proxy @FILE      the content of the file, so that no process list shows it
//   --auth env:NAME, -H env:NAME, ...          the value of an environment variable, which is erased
//   --secret NAME                              as env:NAME
//
// Main thread, before others exist: the environment changes. Blocking.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hyperscale::intake {

inline constexpr std::size_t kCredentialsBytesMax = std::size_t{64} << 10;

// Inserts values where options name a file or a variable, and returns every secret text: values of --secret, the
// password or token of --auth, passwords in URLs of targets and proxies, headers from a file or a variable, and
// Authorization headers. Refuses a value of --secret that is too short to be found in a text (kSecretTextBytesMin).
Result<std::vector<std::string>> take_credentials(RunOptions& options);

}  // namespace hyperscale::intake
