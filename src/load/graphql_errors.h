// Whether a GraphQL response reports errors (GraphQL specification of October 2021, section 7.1): it is a JSON object
// whose member `errors` is there and neither null nor an empty list. Text that is not such an object has none.
//
// Any thread; each keeps one buffer as large as the largest body it has seen, so that looking allocates nothing.
#pragma once

#include <string_view>

namespace hyperscale::load {

bool has_graphql_errors(std::string_view body);

}  // namespace hyperscale::load
