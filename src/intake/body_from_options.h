// Builds the request bodies from options: text, a file, a form, a GraphQL operation, or many files, one body each.
//
// Reads the files that the options name; otherwise pure. Any thread. An invalid option is kInvalidArgument with one
// sentence that starts with its name.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"

#include <string>
#include <vector>

namespace hyperscale::intake {

struct Body {
  std::string content;
  std::string content_type;  // empty: not sent
};

// Empty if the request has no body.
Result<std::vector<Body>> bodies_of(const RequestOptions& options);

}  // namespace hyperscale::intake
