// MailExchanger: a host that accepts mail for a domain. Plain value.
#pragma once

#include <cstdint>
#include <string>

namespace hyperscale::node {

struct MailExchanger {
  std::string name;
  std::uint16_t preference = 0;  // lower is tried first
  bool operator==(const MailExchanger&) const = default;
};

}  // namespace hyperscale::node
