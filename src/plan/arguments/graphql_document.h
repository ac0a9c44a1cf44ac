// A GraphQL document as far as a client can judge it without the schema: its operations, its fragments, and its text
// without anything insignificant (GraphQL specification of October 2021, sections 2 and 5).
//
// Pure; any thread. Refused with kInvalidArgument, line and column: anything that is not the grammar of executable
// documents, a definition named twice, an unnamed operation beside others, a variable declared twice or used without
// being declared (also inside the fragments that an operation spreads), an argument given twice, a fragment that is
// spread but not there or that spreads itself, and nesting or definitions beyond the limits below.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kGraphqlBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kGraphqlDepthMax = 128;  // of selections, values and types
inline constexpr std::size_t kGraphqlDefinitionsMax = 1'000;

enum class GraphqlOperationKind : std::uint8_t { kQuery, kMutation, kSubscription };
std::string_view graphql_operation_word(GraphqlOperationKind kind);  // "query"

struct GraphqlOperation {
  GraphqlOperationKind kind = GraphqlOperationKind::kQuery;
  std::string name;                             // empty when it has none
  std::vector<std::string> required_variables;  // of a type with "!" and without a default
};

struct GraphqlDocument {
  std::string text;  // no comments, blanks only where two tokens would run together
  std::vector<GraphqlOperation> operations;
};

Result<GraphqlDocument> read_graphql_document(std::string_view document);

}  // namespace hyperscale::plan
