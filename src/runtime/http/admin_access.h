// Who may use admin routes: with a token configured, `Authorization: Bearer TOKEN` decides; without one, only loopback
// may call. Pure function; any thread. Compares in a time that tells nothing about the token.
#pragma once

#include "runtime/http/http_message.h"
#include "runtime/secret/secret.h"

namespace hyperscale::runtime {

bool may_administrate(const Request& request, const SecretHandle& token);

}  // namespace hyperscale::runtime
