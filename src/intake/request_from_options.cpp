#include "intake/request_from_options.h"

#include "base/trimmed.h"
#include "intake/body_from_options.h"
#include "intake/file_content.h"
#include "intake/raw_from_options.h"
#include "load/protocols/http/content_decoding.h"
#include "plan/arguments/auth.h"
#include "plan/arguments/headers.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/url.h"

#include <algorithm>

#include <fmt/format.h>
#include <strings.h>

namespace hyperscale::intake {
namespace {

bool has_header(const std::vector<plan::Header>& headers, const char* name) {
  return std::ranges::any_of(headers,
                             [&](const plan::Header& header) { return ::strcasecmp(header.name.c_str(), name) == 0; });
}

Result<std::vector<plan::Header>> headers_of(const RequestOptions& options) {
  std::vector<plan::Header> headers;
  for (const std::string& text : options.headers) {
    const auto pair = plan::read_pair("--header", text, ':', "'Name: value'");
    if (!pair) return fail(pair.error());
    plan::Header header{std::string(trimmed(pair->name, " \t\r")), std::string(trimmed(pair->value, " \t\r"))};
    if (const Status checked = plan::check_header(header); !checked) {
      return plan::wrong_option("--header", checked.error().context);
    }
    headers.push_back(std::move(header));
  }
  if (options.compressed) {
    if (has_header(headers, "accept-encoding"))
      return plan::wrong_option("--compressed", "there is an Accept-Encoding header too; give one of them");
    headers.push_back({"Accept-Encoding", std::string(load::kAcceptedEncodings)});
  }
  if (headers.size() > plan::kHeadersMax) {
    return plan::wrong_option("--header",
                              fmt::format("{} headers, at most {} are sent", headers.size(), plan::kHeadersMax));
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
    return plan::wrong_option("--auth", "write user:password or bearer:TOKEN");
  }
  auto prepared = plan::prepare_auth(value);
  if (!prepared) return plan::wrong_option("--auth", prepared.error().context);
  return prepared;
}

// One URL per line; skips empty lines and lines that start with "#".
Result<std::vector<std::string>> urls_of_file(const std::string& path) {
  const auto content = read_whole_file(path, kUrlsFileBytesMax);
  if (!content) return plan::wrong_option("--urls-from-file", content.error().context);
  std::vector<std::string> urls;
  std::string_view left = *content;
  for (std::size_t line = 1; !left.empty(); ++line) {
    const std::size_t end = left.find('\n');
    const std::string_view text = trimmed(left.substr(0, end), " \t\r");
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    if (text.empty() || text.front() == '#') continue;
    if (const auto url = plan::parse_url(text); !url) {
      return plan::wrong_option("--urls-from-file", fmt::format("{} line {}: {}", path, line, url.error().context));
    }
    urls.emplace_back(text);
  }
  if (urls.empty()) return plan::wrong_option("--urls-from-file", fmt::format("{} has no URL", path));
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
    return plan::wrong_option("--urls-from-file",
                              fmt::format("{} URLs, at most {} fit", urls.size(), plan::kRequestsMax));
  }
  return urls;
}

Status read_status(std::string_view word, std::vector<std::uint16_t>& into) {
  if (word.size() == 3 && word.substr(1) == "xx" && word[0] >= '1' && word[0] <= '5') {
    for (int i = 0; i < 100; ++i) into.push_back(static_cast<std::uint16_t>((word[0] - '0') * 100 + i));
    return {};
  }
  const auto status = plan::read_count("--expect-status", word, 100, plan::kStatusMax);
  if (!status) return fail(status.error());
  into.push_back(static_cast<std::uint16_t>(*status));
  return {};
}

Result<plan::Expectation> expectation_of(const RequestOptions& options) {
  plan::Expectation expect;
  expect.body_contains = options.expect_body;
  expect.graphql = !options.graphql.empty();
  std::string_view left = options.expect_status;
  while (!left.empty()) {
    const std::size_t comma = left.find(',');
    if (Status read = read_status(trimmed(left.substr(0, comma), " \t\r"), expect.statuses); !read)
      return fail(read.error());
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
    return plan::wrong_option("--method",
                              fmt::format("{} is not a method that can be sent", plan::shown(options.method)));
  }
  std::string method = options.method;
  std::ranges::transform(method, method.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return method;
}

// Common parts of all rows.
struct Common {
  plan::Request request;
  std::string authorization;  // of --auth; empty: not given
};

Result<Common> common_of(const RequestOptions& options, bool has_body) {
  auto headers = headers_of(options);
  if (!headers) return fail(headers.error());
  auto method = method_of(options, has_body);
  if (!method) return fail(method.error());
  Common common{.request = {.method = std::move(*method), .url = {}, .headers = std::move(*headers), .body = {}},
                .authorization = {}};
  if (!options.auth.empty()) {
    if (has_header(common.request.headers, "authorization")) {
      return plan::wrong_option("--auth", "there is an Authorization header too; give one of them");
    }
    auto value = authorization_of(options.auth);
    if (!value) return fail(value.error());
    common.authorization = std::move(*value);
  }
  return common;
}

void add_body(const Body& body, plan::Request& request) {
  request.body = body.content;
  if (!body.content_type.empty() && !has_header(request.headers, "content-type")) {
    request.headers.push_back({"Content-Type", body.content_type});
  }
}

// From --auth or the URL; empty for neither.
Result<std::string> credentials_for(const Common& common, const plan::Url& url) {
  if (!common.authorization.empty()) return common.authorization;
  if (url.user_info.empty() || has_header(common.request.headers, "authorization")) return std::string();
  const auto credentials = plan::auth_from_user_info(url.user_info);
  if (!credentials) return fail(credentials.error());
  return plan::prepare_auth(*credentials);
}

// One row per URL or per body; one of the lists has a single entry.
Result<std::vector<plan::Request>> rows_of(const Common& common, const std::vector<std::string>& urls,
                                           const std::vector<Body>& bodies) {
  std::vector<plan::Request> rows;
  const std::size_t per_url = std::max<std::size_t>(1, bodies.size());
  rows.reserve(urls.size() * per_url);
  for (const std::string& text : urls) {
    const auto url = plan::parse_url(text);
    if (!url) return fail(url.error());
    const auto authorization = credentials_for(common, *url);
    if (!authorization) return fail(authorization.error());
    for (std::size_t i = 0; i < per_url; ++i) {
      plan::Request& row = rows.emplace_back(common.request);
      row.url = url->text();
      if (!bodies.empty()) add_body(bodies[i], row);
      if (!authorization->empty()) row.headers.push_back({"Authorization", *authorization});
    }
  }
  return rows;
}

std::string name_of(const plan::Request& first, std::size_t urls, std::size_t bodies) {
  std::string name = first.method + " " + first.url;
  if (urls > 1) name += fmt::format(" and {} more", urls - 1);
  if (bodies > 1) name += fmt::format(" with {} bodies", bodies);
  if (name.size() > plan::kNameBytesMax) name.resize(plan::kNameBytesMax);
  return name;
}

}  // namespace

Result<plan::Step> step_of(const RequestOptions& options) {
  if (plan::is_raw_url(options.url)) return raw_step_of(options);
  const auto urls = urls_of(options);
  if (!urls) return fail(urls.error());
  const auto bodies = bodies_of(options);
  if (!bodies) return fail(bodies.error());
  if (urls->size() > 1 && bodies->size() > 1) {
    return plan::wrong_option(
        "--body", fmt::format("{} files and {} URLs; several of one need a single one of the other", bodies->size(),
                              urls->size()));
  }
  const auto common = common_of(options, !bodies->empty());
  if (!common) return fail(common.error());
  auto expect = expectation_of(options);
  if (!expect) return fail(expect.error());
  auto rows = rows_of(*common, *urls, *bodies);
  if (!rows) return fail(rows.error());
  plan::Step step;
  step.expect = std::move(*expect);
  step.requests = std::move(*rows);
  step.name = name_of(step.requests.front(), urls->size(), bodies->size());
  return step;
}

}  // namespace hyperscale::intake
