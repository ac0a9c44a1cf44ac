// Query, Mutation: a GraphQL document, checked, minified and packed into the body of a POST.
//
// Pure functions; any thread. kInvalidArgument with a sentence when the document is refused (graphql_document.h), when
// its operation is of another kind, when several operations need a choice, and when the variables are not a JSON object
// or lack one that the operation requires.
#pragma once

#include "plan/arguments/argument.h"
#include "plan/arguments/graphql_document.h"

#include <string>

namespace hyperscale::plan {

struct GraphqlValue {
  std::string document;
  std::string operation_name;  // may be empty when the document has one operation
  std::string variables;       // text of a JSON object; may be empty
};

struct PreparedGraphql {
  GraphqlOperationKind kind = GraphqlOperationKind::kQuery;
  std::string document;        // without comments and needless blanks
  std::string operation_name;  // of the chosen operation; empty when it has none
  std::string body;            // {"query":...,"operationName":...,"variables":...}, the last two when there are any
  std::string content_type;
  std::string content_length;
};

Result<PreparedGraphql> prepare_query(const GraphqlValue& value);
using Query = Argument<GraphqlValue, PreparedGraphql, prepare_query>;

Result<PreparedGraphql> prepare_mutation(const GraphqlValue& value);
using Mutation = Argument<GraphqlValue, PreparedGraphql, prepare_mutation>;

// For either kind; a subscription has no single answer and is refused.
Result<PreparedGraphql> prepare_query_or_mutation(const GraphqlValue& value);

}  // namespace hyperscale::plan
