#include "runtime/http/http_message.h"

#include "base/json_writer.h"
#include "runtime/http/http_target.h"

#include <utility>

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
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("error", row.name);
  json.field("message", internal ? kInternalMessage : std::string_view(error.context));
  json.field("retry", name(row.retry));
  json.end_object();
  response.body = json.take_text();
  if (const auto seconds = retry_after_s(error.code)) {
    response.headers.push_back({"retry-after", std::to_string(*seconds)});
  }
  if (internal) response.log_message = error.to_string();
  return response;
}

}  // namespace hyperscale::runtime
