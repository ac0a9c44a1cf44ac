// MailAddress: sender or recipient of an e-mail, as written in a header (RFC 5322 3.4).
//
// Plain value and pure functions; any thread. kInvalidArgument on an address that is not "local@domain" in ASCII, and
// on a name that must not be in a header.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

struct MailAddress {
  std::string name;  // "Ada Lovelace"; may be empty
  std::string address;
};

Status check_mail_address(const MailAddress& address);
// The header "To: Ada <ada@example.org>, b@example.org". REQUIRES: every address was checked.
std::string address_header(std::string_view header, const std::vector<MailAddress>& addresses);

}  // namespace hyperscale::plan
