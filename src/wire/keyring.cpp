#include "wire/keyring.h"

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

Status check_secret(std::string_view which, std::string_view secret) {
  if (secret.size() < kClusterSecretBytesMin) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} is shorter than {} characters: take the output of "
                                                         "'openssl rand -base64 32'",
                                                         which, kClusterSecretBytesMin));
  }
  if (secret.size() > kClusterSecretBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is longer than {} characters", which, kClusterSecretBytesMax));
  }
  if (const auto weakness = weakness_of_secret(secret)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is too easy to guess: it {}; take the output of 'openssl rand -base64 32'", which, *weakness));
  }
  return {};
}

}  // namespace

Result<Keyring> Keyring::make(std::string_view current, std::optional<std::string_view> previous) {
  if (Status ok = check_secret("the cluster secret", current); !ok) return fail(ok.error());
  Keyring keys;
  keys.current_ = std::make_shared<const LockedBytes>(current);
  // After a rotation both variables may still hold the new secret; that is one secret.
  if (previous && *previous != current) {
    if (Status ok = check_secret("the previous cluster secret", *previous); !ok) return fail(ok.error());
    keys.previous_ = std::make_shared<const LockedBytes>(*previous);
  }
  return keys;
}

Keyring Keyring::with_workers(const Keyring& workers) const {
  Keyring both = *this;
  both.workers_ = std::make_shared<const Keyring>(workers);
  return both;
}

}  // namespace hyperscale::wire
