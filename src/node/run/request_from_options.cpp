#include "node/run/request_from_options.h"

#include "node/run/file_content.h"
#include "node/run/option_values.h"
#include "plan/arguments/auth.h"
#include "plan/arguments/headers.h"
#include "plan/limits.h"
#include "plan/percent.h"
#include "plan/url.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <strings.h>

namespace hyperscale::node {
namespace {

bool has_header(const std::vector<plan::Header>& headers, const char* name) {
  return std::ranges::any_of(headers,
                             [&](const plan::Header& header) { return ::strcasecmp(header.name.c_str(), name) == 0; });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Result<std::vector<plan::Header>> headers_of(const RequestOptions& options) {
  std::vector<plan::Header> headers;
  for (const std::string& text : options.headers) {
    const auto pair = read_pair("--header", text, ':', "'Name: value'");
    if (!pair) return fail(pair.error());
    plan::Header header{std::string(trimmed(pair->name)), std::string(trimmed(pair->value))};
    if (const Status checked = plan::check_header(header); !checked) {
      return wrong_option("--header", checked.error().context);
    }
    headers.push_back(std::move(header));
  }
  if (headers.size() > plan::kHeadersMax) {
    return wrong_option("--header", fmt::format("{} headers, at most {} are sent", headers.size(), plan::kHeadersMax));
  }
  return headers;
}

Result<std::string> authorization_of(const std::string& text) {
  constexpr std::string_view kBearer = "bearer:";
  plan::AuthValue value;
  if (text.size() > kBearer.size() && ::strncasecmp(text.c_str(), kBearer.data(), kBearer.size()) == 0) {
    value = plan::BearerAuth{text.substr(kBearer.size())};
  } else if (const std::size_t colon = text.find(':'); colon != std::string::npos && colon > 0) {
    value = plan::BasicAuth{text.substr(0, colon), text.substr(colon + 1)};
  } else {
    return wrong_option("--auth", "write user:password or bearer:TOKEN");
  }
  auto prepared = plan::prepare_auth(value);
  if (!prepared) return wrong_option("--auth", prepared.error().context);
  return prepared;
}

struct Body {
  std::string text;
  std::string content_type;
};

Result<std::string> form_text(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) {
    const auto pair = read_pair("--form", field, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    if (!text.empty()) text += '&';
    text += plan::percent_encode(pair->name) + '=' + plan::percent_encode(pair->value);
  }
  return text;
}

// Nothing when the request has no body.
Result<std::optional<Body>> body_of(const RequestOptions& options) {
  const int given = int{options.body_given} + int{!options.body_file.empty()} + int{!options.json_body.empty()} +
                    int{!options.form.empty()};
  if (given > 1) return wrong_option("--body", "give one of --body, --body-file, --json-body and --form");
  if (given == 0) return std::optional<Body>();
  Body body;
  if (!options.body_file.empty()) {
    auto content = read_whole_file(options.body_file, plan::kBodyBytesMax);
    if (!content) return wrong_option("--body-file", content.error().context);
    body.text = std::move(*content);
  } else if (!options.form.empty()) {
    auto text = form_text(options.form);
    if (!text) return fail(text.error());
    body = {std::move(*text), "application/x-www-form-urlencoded"};
  } else if (!options.json_body.empty()) {
    body = {options.json_body, "application/json"};
  } else {
    body.text = options.body;
  }
  if (body.text.size() > plan::kBodyBytesMax) {
    return wrong_option("--body", fmt::format("{} bytes, at most {} are sent", body.text.size(), plan::kBodyBytesMax));
  }
  return std::optional(std::move(body));
}

// One URL per line; empty lines and lines that start with "#" are passed over.
Result<std::vector<std::string>> urls_of_file(const std::string& path) {
  const auto content = read_whole_file(path, kUrlsFileBytesMax);
  if (!content) return wrong_option("--urls-from-file", content.error().context);
  std::vector<std::string> urls;
  std::string_view left = *content;
  for (std::size_t line = 1; !left.empty(); ++line) {
    const std::size_t end = left.find('\n');
    const std::string_view text = trimmed(left.substr(0, end));
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    if (text.empty() || text.front() == '#') continue;
    if (const auto url = plan::parse_url(text); !url) {
      return wrong_option("--urls-from-file", fmt::format("{} line {}: {}", path, line, url.error().context));
    }
    urls.emplace_back(text);
  }
  if (urls.empty()) return wrong_option("--urls-from-file", fmt::format("{} has no URL", path));
  return urls;
}

Result<std::vector<std::string>> urls_of(const RequestOptions& options) {
  std::vector<std::string> urls;
  if (options.url.empty() && options.urls_file.empty()) {
    return fail(ErrorCode::kInvalidArgument, "no URL given; write one, for example http://localhost:8080/");
  }
  if (!options.url.empty()) urls.push_back(options.url);
  if (!options.urls_file.empty()) {
    const auto more = urls_of_file(options.urls_file);
    if (!more) return fail(more.error());
    urls.insert(urls.end(), more->begin(), more->end());
  }
  if (urls.size() > plan::kRequestsMax) {
    return wrong_option("--urls-from-file", fmt::format("{} URLs, at most {} fit", urls.size(), plan::kRequestsMax));
  }
  return urls;
}

Status read_status(std::string_view word, std::vector<std::uint16_t>& into) {
  if (word.size() == 3 && word.substr(1) == "xx" && word[0] >= '1' && word[0] <= '5') {
    for (int i = 0; i < 100; ++i) into.push_back(static_cast<std::uint16_t>((word[0] - '0') * 100 + i));
    return {};
  }
  const auto status = read_count("--expect-status", word, 100, plan::kStatusMax);
  if (!status) return fail(status.error());
  into.push_back(static_cast<std::uint16_t>(*status));
  return {};
}

Result<plan::Expectation> expectation_of(const RequestOptions& options) {
  plan::Expectation expect;
  expect.body_contains = options.expect_body;
  std::string_view left = options.expect_status;
  while (!left.empty()) {
    const std::size_t comma = left.find(',');
    if (Status read = read_status(trimmed(left.substr(0, comma)), expect.statuses); !read) return fail(read.error());
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  std::ranges::sort(expect.statuses);
  const auto repeated = std::ranges::unique(expect.statuses);
  expect.statuses.erase(repeated.begin(), repeated.end());
  return expect;
}

Result<std::string> method_of(const RequestOptions& options, bool has_body) {
  if (options.method.empty()) return std::string(has_body ? "POST" : "GET");
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_'; };
  if (!std::ranges::all_of(options.method, letter) || options.method.size() > plan::kMethodBytesMax ||
      ::strcasecmp(options.method.c_str(), "CONNECT") == 0) {
    return wrong_option("--method", fmt::format("{} is not a method that can be sent", shown(options.method)));
  }
  std::string method = options.method;
  std::ranges::transform(method, method.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return method;
}

// What all URLs have in common.
Result<plan::Request> common_request(const RequestOptions& options) {
  auto body = body_of(options);
  if (!body) return fail(body.error());
  auto headers = headers_of(options);
  if (!headers) return fail(headers.error());
  auto method = method_of(options, body->has_value());
  if (!method) return fail(method.error());
  plan::Request request{.method = std::move(*method), .url = {}, .headers = std::move(*headers), .body = {}};
  if (*body) {
    request.body = std::move((*body)->text);
    const std::string& type = (*body)->content_type;
    if (!type.empty() && !has_header(request.headers, "content-type")) {
      request.headers.push_back({"Content-Type", type});
    }
  }
  if (!options.auth.empty()) {
    if (has_header(request.headers, "authorization")) {
      return wrong_option("--auth", "there is an Authorization header too; give one of them");
    }
    auto value = authorization_of(options.auth);
    if (!value) return fail(value.error());
    request.headers.push_back({"Authorization", std::move(*value)});
  }
  return request;
}

Result<plan::Request> request_for(const plan::Request& common, const std::string& text) {
  const auto url = plan::parse_url(text);
  if (!url) return fail(url.error());
  plan::Request request = common;
  request.url = url->text();
  if (!url->user_info.empty() && !has_header(request.headers, "authorization")) {
    const auto credentials = plan::auth_from_user_info(url->user_info);
    if (!credentials) return fail(credentials.error());
    const auto value = plan::prepare_auth(*credentials);
    if (!value) return fail(value.error());
    request.headers.push_back({"Authorization", *value});
  }
  return request;
}

}  // namespace

Result<plan::Step> step_of(const RequestOptions& options) {
  const auto urls = urls_of(options);
  if (!urls) return fail(urls.error());
  const auto common = common_request(options);
  if (!common) return fail(common.error());
  auto expect = expectation_of(options);
  if (!expect) return fail(expect.error());
  plan::Step step;
  step.expect = std::move(*expect);
  step.requests.reserve(urls->size());
  for (const std::string& url : *urls) {
    auto request = request_for(*common, url);
    if (!request) return fail(request.error());
    step.requests.push_back(std::move(*request));
  }
  step.name = step.requests.front().method + " " + step.requests.front().url;
  if (step.requests.size() > 1) step.name += fmt::format(" and {} more", step.requests.size() - 1);
  if (step.name.size() > plan::kNameBytesMax) step.name.resize(plan::kNameBytesMax);
  return step;
}

}  // namespace hyperscale::node
