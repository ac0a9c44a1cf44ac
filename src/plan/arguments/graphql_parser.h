// The grammar of executable GraphQL documents: definitions and their references, in the order of the document.
// graphql_document.h validates them.
//
// One thread; parse() once. Views point into the document. A failure is kInvalidArgument with line and column.
#pragma once

#include "plan/arguments/graphql_document.h"
#include "plan/arguments/graphql_lexer.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

struct GraphqlMention {
  std::string_view name;
  std::size_t offset = 0;
};

// An operation or a fragment.
struct GraphqlDefinition {
  bool is_fragment = false;
  GraphqlOperationKind kind = GraphqlOperationKind::kQuery;
  GraphqlMention name;  // the name is empty when an operation has none
  std::vector<GraphqlMention> declared_variables;
  std::vector<std::string> required_variables;
  std::vector<GraphqlMention> used_variables;
  std::vector<GraphqlMention> spreads;
};

class GraphqlParser {
 public:
  explicit GraphqlParser(std::string_view document) : lexer_(document) {}

  Result<std::vector<GraphqlDefinition>> parse();
  // The document without anything insignificant. REQUIRES: parse() succeeded.
  const std::string& text() const { return text_; }

 private:
  Status definition();
  Status operation();
  Status fragment();
  Status variable_definitions();
  Status variable_definition();
  Status type(std::size_t depth);
  Status selection_set(std::size_t depth);
  Status selection(std::size_t depth);
  Status field(std::size_t depth);
  Status spread(std::size_t depth);
  Status directives(bool constant);
  Status arguments(bool constant);
  Status value(bool constant, std::size_t depth);
  Status list_value(bool constant, std::size_t depth);
  Status object_value(bool constant, std::size_t depth);
  Status variable_use(bool constant);

  bool at(std::string_view punctuator_or_word) const;
  Status advance();
  Status expect(std::string_view punctuator_or_word);
  Result<GraphqlMention> name(std::string_view what);
  Status within_depth(std::size_t depth) const;
  tl::unexpected<Error> unexpected(std::string_view wanted) const;

  GraphqlLexer lexer_;
  GraphqlToken token_;
  bool after_word_ = false;  // the last token in text_ would run into a word
  std::string text_;
  std::vector<GraphqlDefinition> definitions_;
};

}  // namespace hyperscale::plan
