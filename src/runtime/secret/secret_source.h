// Sources of secrets: a file that only its owner may read, or an environment variable that is erased once read. Secrets
// are never written in the configuration file and never appear in an error message.
#pragma once

#include "base/result.h"
#include "runtime/secret/secret.h"

#include <string>

namespace hyperscale::runtime {

inline constexpr std::size_t kSecretBytesMin = 16;
inline constexpr std::size_t kSecretBytesMax = 4096;

// Reads a secret from a file; surrounding white space is not part of it. Fails when the file is missing, readable by
// group or others, shorter than kSecretBytesMin or longer than kSecretBytesMax.
Result<SecretHandle> read_secret_file(const std::string& path);

// Reads a secret from the environment and erases the variable, both from the table and from the memory it was in. Null
// when the variable is not set. Call it before any other thread exists.
Result<SecretHandle> take_secret_from_environment(const char* variable);

}  // namespace hyperscale::runtime
