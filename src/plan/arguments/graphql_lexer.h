// Tokens of a GraphQL document (GraphQL specification of October 2021, section 2.1). Blanks, commas and comments
// separate tokens and belong to none.
//
// One thread. The text must outlive the lexer and its tokens. A failure is kInvalidArgument with line and column.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::plan {

enum class GraphqlTokenKind : std::uint8_t { kEnd, kPunctuator, kName, kInt, kFloat, kString };

struct GraphqlToken {
  GraphqlTokenKind kind = GraphqlTokenKind::kEnd;
  std::string_view text;   // as written, quotes included; empty at the end
  std::size_t offset = 0;  // in the document
};

class GraphqlLexer {
 public:
  explicit GraphqlLexer(std::string_view document);

  // Returns the end token repeatedly once it is reached.
  Result<GraphqlToken> next();
  tl::unexpected<Error> failure_at(std::size_t offset, std::string_view why) const;

 private:
  Status skip_ignored();
  Result<GraphqlToken> number();
  Result<GraphqlToken> string();
  Result<GraphqlToken> block_string();
  Status escape();
  Result<std::uint32_t> hex_digits(std::size_t count_min, std::size_t count_max);
  Status digits();
  GraphqlToken token_since(GraphqlTokenKind kind, std::size_t start) const;
  char peek() const { return at_ < document_.size() ? document_[at_] : '\0'; }
  std::string_view left() const { return document_.substr(at_); }

  std::string_view document_;
  std::size_t at_ = 0;
};

}  // namespace hyperscale::plan
