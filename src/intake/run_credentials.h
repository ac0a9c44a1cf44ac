// Credentials of the command line: where they are read from, and which texts of a run are secrets for it.
//
//   --auth @FILE, -H @FILE, --proxy @FILE      what is in the file, so that no process list shows it
//   --auth env:NAME, -H env:NAME, ...          the same from a variable of the environment, which is erased
//   --secret NAME                              the same
//
// The main thread, before others exist: the environment changes. Blocking.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hyperscale::intake {

inline constexpr std::size_t kCredentialsBytesMax = std::size_t{64} << 10;

// Puts the values where the options named a file or a variable, and gives every secret text: values of --secret, the
// password or token of --auth, passwords in URLs of targets and proxies, headers that came from a file or a variable,
// and Authorization headers. A value of --secret that is too short to be found in a text (kSecretTextBytesMin) is
// refused.
Result<std::vector<std::string>> take_credentials(RunOptions& options);

}  // namespace hyperscale::intake
