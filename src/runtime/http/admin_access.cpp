#include "runtime/http/admin_access.h"

namespace hyperscale::runtime {

bool may_administrate(const Request& request, const SecretHandle& token) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!token) return request.peer_is_loopback;
  const auto header = request.header("authorization");
  if (!header || !header->starts_with(kBearer)) return false;
  return token->matches(header->substr(kBearer.size()));
}

}  // namespace hyperscale::runtime
