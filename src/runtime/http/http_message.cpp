#include "runtime/http/http_message.h"

#include "runtime/http/http_target.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kInternalMessage = "internal error";

std::optional<int> retry_after_s(ErrorCode code) {
  if (code == ErrorCode::kBusy) return 1;
  if (code == ErrorCode::kUnavailable) return 5;
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const Header& header : headers) {
    if (header.name == name) return header.value;
  }
  return std::nullopt;
}

std::optional<std::string> Request::query(std::string_view key) const {
  return query_parameter(target, key);
}

Response Response::json(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

Response Response::text(int status, std::string body) {
  Response response;
  response.status = status;
  response.content_type = "text/plain; charset=utf-8";
  response.body = std::move(body);
  return response;
}

Response Response::error(const Error& error) {
  const ErrorTraits& row = traits(error.code);
  const bool internal = error.code == ErrorCode::kInternal;
  Response response;
  response.status = row.http_status;
  response.content_type = "application/problem+json";
  response.body = fmt::format(R"({{"error":{},"message":{},"retry":{}}})", json_quoted(row.name),
                              json_quoted(internal ? kInternalMessage : std::string_view(error.context)),
                              json_quoted(name(row.retry)));
  if (const auto seconds = retry_after_s(error.code)) {
    response.headers.push_back({"retry-after", std::to_string(*seconds)});
  }
  if (internal) response.log_message = error.to_string();
  return response;
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          quoted += c;
        }
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace hyperscale::runtime
