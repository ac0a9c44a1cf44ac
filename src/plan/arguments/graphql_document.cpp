#include "plan/arguments/graphql_document.h"

#include "plan/arguments/graphql_parser.h"
#include "plan/arguments/text_position.h"
#include "plan/arguments/utf8.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

using Fragments = std::map<std::string_view, const GraphqlDefinition*>;
using Names = std::set<std::string_view>;

// The rules of section 5 of the specification that need no schema.
class DocumentRules {
 public:
  DocumentRules(std::string_view document, const std::vector<GraphqlDefinition>& definitions)
      : document_(document), definitions_(definitions) {}

  Status check() {
    if (Status names = check_names(); !names) return names;
    if (Status spreads = check_spreads(); !spreads) return spreads;
    if (Status cycles = check_cycles(); !cycles) return cycles;
    for (const GraphqlDefinition& definition : definitions_) {
      if (definition.is_fragment) continue;
      if (Status variables = check_variables(definition); !variables) return variables;
    }
    return {};
  }

 private:
  tl::unexpected<Error> bad(std::size_t offset, std::string_view why) const {
    return fail(ErrorCode::kInvalidArgument, fmt::format("GraphQL {}: {}", position_text(document_, offset), why));
  }

  Status check_names() {
    Names operations;
    std::size_t count = 0;
    const GraphqlDefinition* unnamed = nullptr;
    for (const GraphqlDefinition& definition : definitions_) {
      const auto& [name, offset] = definition.name;
      if (definition.is_fragment) {
        if (!fragments_.emplace(name, &definition).second)
          return bad(offset, fmt::format("fragment {} is there twice", name));
        continue;
      }
      ++count;
      if (name.empty()) unnamed = &definition;
      if (!name.empty() && !operations.insert(name).second) {
        return bad(offset, fmt::format("operation {} is there twice", name));
      }
    }
    if (count == 0) return bad(0, "there is no operation in the document");
    if (unnamed != nullptr && count > 1) return bad(unnamed->name.offset, "an operation beside others needs a name");
    return {};
  }

  Status check_spreads() const {
    for (const GraphqlDefinition& definition : definitions_) {
      for (const auto& [name, offset] : definition.spreads) {
        if (!fragments_.contains(name)) return bad(offset, fmt::format("fragment {} is not in the document", name));
      }
    }
    return {};
  }

  // Removes fragments that spread no remaining fragment, until no more can be removed; any rest contains a circle.
  Status check_cycles() const {
    std::map<std::string_view, std::size_t> open;
    std::map<std::string_view, std::vector<std::string_view>> spread_by;
    std::vector<std::string_view> done;
    for (const auto& [name, fragment] : fragments_) {
      open[name] = fragment->spreads.size();
      for (const GraphqlMention& spread : fragment->spreads) spread_by[spread.name].push_back(name);
      if (fragment->spreads.empty()) done.push_back(name);
    }
    while (!done.empty()) {
      const std::string_view name = done.back();
      done.pop_back();
      open.erase(name);
      for (const std::string_view user : spread_by[name]) {
        if (--open[user] == 0) done.push_back(user);
      }
    }
    if (open.empty()) return {};
    const GraphqlMention& circle = fragments_.at(open.begin()->first)->name;
    return bad(circle.offset, fmt::format("fragment {} spreads itself, directly or through others", circle.name));
  }

  Status check_variables(const GraphqlDefinition& operation) const {
    Names declared;
    for (const auto& [name, offset] : operation.declared_variables) {
      if (!declared.insert(name).second) return bad(offset, fmt::format("variable ${} is declared twice", name));
    }
    Names reached;
    std::vector<const GraphqlDefinition*> left{&operation};
    while (!left.empty()) {
      const GraphqlDefinition& definition = *left.back();
      left.pop_back();
      for (const auto& [name, offset] : definition.used_variables) {
        if (declared.contains(name)) continue;
        const std::string of = operation.name.name.empty() ? std::string("the operation")
                                                           : fmt::format("operation {}", operation.name.name);
        return bad(offset, fmt::format("variable ${} is not declared by {}", name, of));
      }
      for (const GraphqlMention& spread : definition.spreads) {
        if (reached.insert(spread.name).second) left.push_back(fragments_.at(spread.name));
      }
    }
    return {};
  }

  std::string_view document_;
  const std::vector<GraphqlDefinition>& definitions_;
  Fragments fragments_;
};

}  // namespace

std::string_view graphql_operation_word(GraphqlOperationKind kind) {
  switch (kind) {
    case GraphqlOperationKind::kQuery:
      return "query";
    case GraphqlOperationKind::kMutation:
      return "mutation";
    case GraphqlOperationKind::kSubscription:
      return "subscription";
  }
  return "";
}

Result<GraphqlDocument> read_graphql_document(std::string_view document) {
  if (document.size() > kGraphqlBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a GraphQL document of {} bytes is more than {}", document.size(), kGraphqlBytesMax));
  }
  if (!is_utf8(document)) return fail(ErrorCode::kInvalidArgument, "the GraphQL document is not UTF-8");
  GraphqlParser parser(document);
  const Result<std::vector<GraphqlDefinition>> definitions = parser.parse();
  if (!definitions) return fail(definitions.error());
  if (Status valid = DocumentRules(document, *definitions).check(); !valid) return fail(valid.error());
  GraphqlDocument result{.text = parser.text(), .operations = {}};
  for (const GraphqlDefinition& definition : *definitions) {
    if (definition.is_fragment) continue;
    result.operations.push_back({.kind = definition.kind,
                                 .name = std::string(definition.name.name),
                                 .required_variables = definition.required_variables});
  }
  return result;
}

}  // namespace hyperscale::plan
