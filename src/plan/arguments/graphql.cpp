#include "plan/arguments/graphql.h"

#include "plan/arguments/json_text.h"
#include "plan/arguments/json_value.h"
#include "plan/limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

Result<GraphqlOperation> chosen_operation(const GraphqlDocument& document, const std::string& name) {
  if (name.empty()) {
    if (document.operations.size() == 1) return document.operations.front();
    return invalid(fmt::format("the GraphQL document has {} operations; say which one", document.operations.size()));
  }
  const auto found = std::ranges::find(document.operations, name, &GraphqlOperation::name);
  if (found == document.operations.end()) {
    return invalid(fmt::format("the GraphQL document has no operation {:?}", name));
  }
  return *found;
}

// Only plain ASCII names of variables are checked for missing ones; names with escapes are not.
Result<std::string> variables_text(const GraphqlOperation& operation, const std::string& text) {
  JsonText variables;
  if (!text.empty()) {
    Result<JsonText> read = read_json_text(text);
    if (!read) return invalid(fmt::format("variables: {}", read.error().context));
    if (!read->is_object) return invalid("variables: not a JSON object such as {\"id\": 1}");
    variables = std::move(*read);
  }
  const bool escaped = std::ranges::any_of(
      variables.members, [](const std::string& name) { return name.find('\\') != std::string::npos; });
  for (const std::string& name : operation.required_variables) {
    if (escaped || std::ranges::find(variables.members, name) != variables.members.end()) continue;
    return invalid(fmt::format("variable ${} is required and has no value", name));
  }
  return std::move(variables.compact);
}

Result<PreparedGraphql> prepare_operation(const GraphqlValue& value) {
  Result<GraphqlDocument> document = read_graphql_document(value.document);
  if (!document) return fail(document.error());
  Result<GraphqlOperation> operation = chosen_operation(*document, value.operation_name);
  if (!operation) return fail(operation.error());
  const Result<std::string> variables = variables_text(*operation, value.variables);
  if (!variables) return fail(variables.error());
  const Result<std::string> query = compact_json({document->text});
  if (!query) return fail(query.error());
  std::string body = fmt::format("{{\"query\":{}", *query);
  if (!operation->name.empty()) body += fmt::format(",\"operationName\":\"{}\"", operation->name);
  if (!variables->empty()) body.append(",\"variables\":").append(*variables);
  body += '}';
  if (body.size() > kBodyBytesMax)
    return invalid(fmt::format("a body of {} bytes is more than {}", body.size(), kBodyBytesMax));
  return PreparedGraphql{.kind = operation->kind,
                         .document = std::move(document->text),
                         .operation_name = std::move(operation->name),
                         .body = body,
                         .content_type = "application/json",
                         .content_length = fmt::format("{}", body.size())};
}

Result<PreparedGraphql> prepare_kind(const GraphqlValue& value, GraphqlOperationKind kind) {
  Result<PreparedGraphql> prepared = prepare_operation(value);
  if (prepared && prepared->kind != kind) {
    return invalid(fmt::format("the GraphQL operation is a {}, not a {}", graphql_operation_word(prepared->kind),
                               graphql_operation_word(kind)));
  }
  return prepared;
}

}  // namespace

Result<PreparedGraphql> prepare_query(const GraphqlValue& value) {
  return prepare_kind(value, GraphqlOperationKind::kQuery);
}

Result<PreparedGraphql> prepare_mutation(const GraphqlValue& value) {
  return prepare_kind(value, GraphqlOperationKind::kMutation);
}

Result<PreparedGraphql> prepare_query_or_mutation(const GraphqlValue& value) {
  Result<PreparedGraphql> prepared = prepare_operation(value);
  if (prepared && prepared->kind == GraphqlOperationKind::kSubscription) {
    return invalid(
        "the GraphQL operation is a subscription, which has no single answer; only queries and mutations are sent");
  }
  return prepared;
}

}  // namespace hyperscale::plan
