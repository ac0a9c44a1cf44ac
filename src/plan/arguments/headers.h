// Headers of a request in their sent forms: text for HTTP/1.1, a list for HTTP/2 and later.
//
// Pure functions; any thread. A name is a token of RFC 9110 and a value has no control character but the tab, so that
// no value can end its line and begin another header.
#pragma once

#include "plan/arguments/argument.h"
#include "plan/plan.h"

#include <string>
#include <vector>

namespace hyperscale::plan {

// kInvalidArgument on a name or value that must not be sent.
Status check_header(const Header& header);

struct WireHeaders {
  std::string http1;         // "Accept: */*\r\n" for each
  std::vector<Header> list;  // names in lower case, as HTTP/2 demands
};

// Keeps the order and repeated names. Cuts blanks around a value.
Result<WireHeaders> prepare_headers(const std::vector<Header>& headers);
using Headers = Argument<std::vector<Header>, WireHeaders, prepare_headers>;

}  // namespace hyperscale::plan
