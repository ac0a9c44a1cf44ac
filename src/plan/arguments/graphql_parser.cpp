#include "plan/arguments/graphql_parser.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

std::optional<GraphqlOperationKind> kind_of(std::string_view word) {
  if (word == "query") return GraphqlOperationKind::kQuery;
  if (word == "mutation") return GraphqlOperationKind::kMutation;
  if (word == "subscription") return GraphqlOperationKind::kSubscription;
  return std::nullopt;
}

}  // namespace

Result<std::vector<GraphqlDefinition>> GraphqlParser::parse() {
  if (Status first = advance(); !first) return fail(first.error());
  while (token_.kind != GraphqlTokenKind::kEnd) {
    if (definitions_.size() == kGraphqlDefinitionsMax) {
      return lexer_.failure_at(token_.offset, fmt::format("more than {} definitions", kGraphqlDefinitionsMax));
    }
    if (Status read = definition(); !read) return fail(read.error());
  }
  return std::move(definitions_);
}

Status GraphqlParser::definition() {
  definitions_.emplace_back();
  definitions_.back().name.offset = token_.offset;
  if (at("{")) return selection_set(1);
  if (token_.kind == GraphqlTokenKind::kName && kind_of(token_.text)) return operation();
  if (at("fragment")) return fragment();
  return unexpected("an operation or a fragment");
}

Status GraphqlParser::operation() {
  GraphqlDefinition& definition = definitions_.back();
  definition.kind = *kind_of(token_.text);
  if (Status word = advance(); !word) return word;
  if (token_.kind == GraphqlTokenKind::kName) {
    definition.name = {.name = token_.text, .offset = token_.offset};
    if (Status named = advance(); !named) return named;
  }
  if (Status variables = at("(") ? variable_definitions() : Status(); !variables) return variables;
  if (Status read = directives(false); !read) return read;
  return selection_set(1);
}

Status GraphqlParser::fragment() {
  definitions_.back().is_fragment = true;
  if (Status word = advance(); !word) return word;
  if (at("on")) return unexpected("the name of a fragment");
  const Result<GraphqlMention> named = name("the name of a fragment");
  if (!named) return fail(named.error());
  definitions_.back().name = *named;
  if (Status on = expect("on"); !on) return on;
  if (const auto condition = name("the type of a fragment"); !condition) return fail(condition.error());
  if (Status read = directives(false); !read) return read;
  return selection_set(1);
}

Status GraphqlParser::variable_definitions() {
  if (Status open = expect("("); !open) return open;
  do {
    if (Status read = variable_definition(); !read) return read;
  } while (!at(")"));
  return advance();
}

Status GraphqlParser::variable_definition() {
  if (!at("$")) return unexpected("a variable such as $id");
  if (Status dollar = advance(); !dollar) return dollar;
  const Result<GraphqlMention> variable = name("the name of a variable");
  if (!variable) return fail(variable.error());
  definitions_.back().declared_variables.push_back(*variable);
  if (Status colon = expect(":"); !colon) return colon;
  if (Status read = type(1); !read) return read;
  const bool required = text_.ends_with('!');
  if (at("=")) {
    if (Status equals = advance(); !equals) return equals;
    if (Status fallback = value(true, 1); !fallback) return fallback;
  } else if (required) {
    definitions_.back().required_variables.emplace_back(variable->name);
  }
  return directives(true);
}

Status GraphqlParser::type(std::size_t depth) {
  if (Status within = within_depth(depth); !within) return within;
  if (at("[")) {
    if (Status open = advance(); !open) return open;
    if (Status inner = type(depth + 1); !inner) return inner;
    if (Status close = expect("]"); !close) return close;
  } else if (const auto named = name("a type"); !named) {
    return fail(named.error());
  }
  return at("!") ? advance() : Status();
}

Status GraphqlParser::selection_set(std::size_t depth) {
  if (Status within = within_depth(depth); !within) return within;
  if (Status open = expect("{"); !open) return open;
  do {
    if (Status read = selection(depth); !read) return read;
  } while (!at("}"));
  return advance();
}

Status GraphqlParser::selection(std::size_t depth) {
  return at("...") ? spread(depth) : field(depth);
}

Status GraphqlParser::field(std::size_t depth) {
  if (const auto named = name("a field"); !named) return fail(named.error());
  if (at(":")) {
    if (Status colon = advance(); !colon) return colon;
    if (const auto aliased = name("a field after its alias"); !aliased) return fail(aliased.error());
  }
  if (Status given = at("(") ? arguments(false) : Status(); !given) return given;
  if (Status read = directives(false); !read) return read;
  return at("{") ? selection_set(depth + 1) : Status();
}

Status GraphqlParser::spread(std::size_t depth) {
  if (Status dots = advance(); !dots) return dots;
  if (token_.kind == GraphqlTokenKind::kName && !at("on")) {
    definitions_.back().spreads.push_back({.name = token_.text, .offset = token_.offset});
    if (Status named = advance(); !named) return named;
    return directives(false);
  }
  if (at("on")) {
    if (Status on = advance(); !on) return on;
    if (const auto condition = name("the type of an inline fragment"); !condition) return fail(condition.error());
  }
  if (Status read = directives(false); !read) return read;
  return selection_set(depth + 1);
}

Status GraphqlParser::directives(bool constant) {
  while (at("@")) {
    if (Status sign = advance(); !sign) return sign;
    if (const auto named = name("the name of a directive"); !named) return fail(named.error());
    if (Status given = at("(") ? arguments(constant) : Status(); !given) return given;
  }
  return {};
}

Status GraphqlParser::arguments(bool constant) {
  if (Status open = expect("("); !open) return open;
  std::set<std::string_view> given;
  do {
    const Result<GraphqlMention> argument = name("an argument");
    if (!argument) return fail(argument.error());
    if (!given.insert(argument->name).second) {
      return lexer_.failure_at(argument->offset, fmt::format("argument {} is given twice", argument->name));
    }
    if (Status colon = expect(":"); !colon) return colon;
    if (Status read = value(constant, 1); !read) return read;
  } while (!at(")"));
  return advance();
}

Status GraphqlParser::value(bool constant, std::size_t depth) {
  if (Status within = within_depth(depth); !within) return within;
  if (at("$")) return variable_use(constant);
  if (at("[")) return list_value(constant, depth);
  if (at("{")) return object_value(constant, depth);
  // Names are true, false, null and the values of enums.
  const bool scalar = token_.kind != GraphqlTokenKind::kPunctuator && token_.kind != GraphqlTokenKind::kEnd;
  return scalar ? advance() : Status(unexpected("a value"));
}

Status GraphqlParser::variable_use(bool constant) {
  if (constant) return lexer_.failure_at(token_.offset, "a variable where only a constant may be");
  if (Status dollar = advance(); !dollar) return dollar;
  const Result<GraphqlMention> variable = name("the name of a variable");
  if (!variable) return fail(variable.error());
  definitions_.back().used_variables.push_back(*variable);
  return {};
}

Status GraphqlParser::list_value(bool constant, std::size_t depth) {
  if (Status open = advance(); !open) return open;
  while (!at("]")) {
    if (Status item = value(constant, depth + 1); !item) return item;
  }
  return advance();
}

Status GraphqlParser::object_value(bool constant, std::size_t depth) {
  if (Status open = advance(); !open) return open;
  while (!at("}")) {
    if (const auto named = name("the name of a member"); !named) return fail(named.error());
    if (Status colon = expect(":"); !colon) return colon;
    if (Status member = value(constant, depth + 1); !member) return member;
  }
  return advance();
}

bool GraphqlParser::at(std::string_view punctuator_or_word) const {
  return token_.kind != GraphqlTokenKind::kString && token_.text == punctuator_or_word;
}

// Appends the current token to the text. Two tokens that are not punctuators need a blank between them; so does a
// spread after one, lest "1..." be read as a number.
Status GraphqlParser::advance() {
  const bool word = token_.kind != GraphqlTokenKind::kPunctuator;
  if (!token_.text.empty()) {
    if (after_word_ && (word || token_.text == "...")) text_ += ' ';
    text_ += token_.text;
    after_word_ = word;
  }
  Result<GraphqlToken> next = lexer_.next();
  if (!next) return fail(next.error());
  token_ = *next;
  return {};
}

Status GraphqlParser::expect(std::string_view punctuator_or_word) {
  if (!at(punctuator_or_word)) return unexpected(fmt::format("{:?}", punctuator_or_word));
  return advance();
}

Result<GraphqlMention> GraphqlParser::name(std::string_view what) {
  if (token_.kind != GraphqlTokenKind::kName) return unexpected(what);
  const GraphqlMention mention{.name = token_.text, .offset = token_.offset};
  if (Status taken = advance(); !taken) return fail(taken.error());
  return mention;
}

Status GraphqlParser::within_depth(std::size_t depth) const {
  if (depth <= kGraphqlDepthMax) return {};
  return lexer_.failure_at(token_.offset, fmt::format("more than {} levels", kGraphqlDepthMax));
}

tl::unexpected<Error> GraphqlParser::unexpected(std::string_view wanted) const {
  constexpr std::size_t kShownMax = 40;
  const std::string found = token_.kind == GraphqlTokenKind::kEnd
                                ? std::string("the end")
                                : fmt::format("{:?}", token_.text.substr(0, kShownMax));
  return lexer_.failure_at(token_.offset, fmt::format("expected {}, found {}", wanted, found));
}

}  // namespace hyperscale::plan
