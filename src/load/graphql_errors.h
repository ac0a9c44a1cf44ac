// Whether a GraphQL response reports errors (GraphQL specification of October 2021, section 7.1): it is a JSON object
// with a member `errors` that is neither null nor an empty list. Text that is not such an object has no errors.
//
// Any thread; each keeps one buffer as large as the largest body it has parsed, so that parsing allocates nothing.
#pragma once

#include <string_view>

namespace hyperscale::load {

bool has_graphql_errors(std::string_view body);

}  // namespace hyperscale::load
