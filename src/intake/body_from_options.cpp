#include "intake/body_from_options.h"

#include "intake/file_arguments.h"
#include "intake/file_content.h"
#include "plan/arguments/graphql.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/percent.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

using Bodies = std::vector<Body>;

Result<std::string> form_text(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) {
    const auto pair = plan::read_pair("--form", field, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    if (!text.empty()) text += '&';
    text += plan::percent_encode(pair->name) + '=' + plan::percent_encode(pair->value);
  }
  return text;
}

// Safe because neither GraphQL nor JSON starts with "@".
Result<std::string> text_or_file(const char* option, const std::string& text, std::size_t bytes_max) {
  if (!text.starts_with('@')) return text;
  auto content = read_whole_file(text.substr(1), bytes_max);
  if (!content) return plan::wrong_option(option, content.error().context);
  return content;
}

Result<Bodies> graphql_body(const RequestOptions& options) {
  auto document = text_or_file("--graphql", options.graphql, plan::kGraphqlBytesMax);
  if (!document) return fail(document.error());
  auto variables = text_or_file("--variables", options.variables, plan::kBodyBytesMax);
  if (!variables) return fail(variables.error());
  if (variables->empty() && !options.variables.empty()) return plan::wrong_option("--variables", "the file is empty");
  const auto prepared = plan::prepare_query_or_mutation(
      {.document = std::move(*document), .operation_name = options.operation, .variables = std::move(*variables)});
  if (!prepared) return plan::wrong_option("--graphql", prepared.error().context);
  return Bodies{{.content = prepared->body, .content_type = prepared->content_type}};
}

// "@PATH" means the content of files, "@@text" the text "@text".
Result<Bodies> text_or_files(const std::string& text) {
  if (!text.starts_with('@')) return Bodies{{.content = text, .content_type = {}}};
  if (text.starts_with("@@")) return Bodies{{.content = text.substr(1), .content_type = {}}};
  auto files = read_named_files(text.substr(1), plan::kRequestsMax);
  if (!files) return plan::wrong_option("--body", files.error().context);
  Bodies bodies;
  bodies.reserve(files->size());
  for (plan::PreparedFile& file : *files) {
    bodies.push_back({.content = std::move(file.content), .content_type = std::move(file.media_type)});
  }
  return bodies;
}

Result<Bodies> body_file(const std::string& path) {
  auto content = read_whole_file(path, plan::kBodyBytesMax);
  if (!content) return plan::wrong_option("--body-file", content.error().context);
  return Bodies{{.content = std::move(*content), .content_type = {}}};
}

Result<Bodies> form_body(const std::vector<std::string>& fields) {
  auto text = form_text(fields);
  if (!text) return fail(text.error());
  return Bodies{{.content = std::move(*text), .content_type = "application/x-www-form-urlencoded"}};
}

Result<Bodies> the_one_given(const RequestOptions& options) {
  if (!options.graphql.empty()) return graphql_body(options);
  if (!options.body_file.empty()) return body_file(options.body_file);
  if (!options.form.empty()) return form_body(options.form);
  if (!options.json_body.empty()) return Bodies{{.content = options.json_body, .content_type = "application/json"}};
  return text_or_files(options.body);
}

}  // namespace

Result<Bodies> bodies_of(const RequestOptions& options) {
  const int given = int{options.body_given} + int{!options.body_file.empty()} + int{!options.json_body.empty()} +
                    int{!options.form.empty()} + int{!options.graphql.empty()};
  if (given > 1)
    return plan::wrong_option("--body", "give one of --body, --body-file, --json-body, --form and --graphql");
  if (options.graphql.empty() && !options.variables.empty())
    return plan::wrong_option("--variables", "needs --graphql");
  if (options.graphql.empty() && !options.operation.empty())
    return plan::wrong_option("--operation", "needs --graphql");
  if (given == 0) return Bodies();
  auto bodies = the_one_given(options);
  if (!bodies) return fail(bodies.error());
  for (const Body& body : *bodies) {
    if (body.content.size() <= plan::kBodyBytesMax) continue;
    return plan::wrong_option("--body",
                              fmt::format("{} bytes, at most {} are sent", body.content.size(), plan::kBodyBytesMax));
  }
  return bodies;
}

}  // namespace hyperscale::intake
