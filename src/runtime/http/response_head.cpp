#include "runtime/http/response_head.h"

#include <algorithm>
#include <array>

#include <boost/beast/http/status.hpp>

namespace hyperscale::runtime {
namespace {

constexpr std::array<std::string_view, 7> kServerOwned{"connection", "content-length",    "content-type", "keep-alive",
                                                       "upgrade",    "transfer-encoding", "date"};

bool is_token_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_value_char(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

bool may_send(const Header& header) {
  return !header.name.empty() && std::all_of(header.name.begin(), header.name.end(), is_token_char) &&
         std::all_of(header.value.begin(), header.value.end(), is_value_char) &&
         std::find(kServerOwned.begin(), kServerOwned.end(), header.name) == kServerOwned.end();
}

}  // namespace

bool status_has_body(int status) {
  return status >= 200 && status != 204 && status != 304;
}

std::vector<Header> wire_headers(const Response& response) {
  std::vector<Header> headers;
  if (status_has_body(response.status)) {
    if (std::all_of(response.content_type.begin(), response.content_type.end(), is_value_char)) {
      headers.push_back({"content-type", response.content_type});
    }
    if (!response.feed) headers.push_back({"content-length", std::to_string(response.body.size())});
  }
  for (const Header& header : response.headers) {
    if (may_send(header)) headers.push_back(header);
  }
  return headers;
}

std::string h1_response_head(const Response& response, bool keep_alive, bool chunked) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(response.status));
  head.append(reason.data(), reason.size());
  head += "\r\n";
  for (const Header& header : wire_headers(response)) {
    head += header.name;
    head += ": ";
    head += header.value;
    head += "\r\n";
  }
  if (chunked) head += "transfer-encoding: chunked\r\n";
  head += keep_alive ? "connection: keep-alive\r\n\r\n" : "connection: close\r\n\r\n";
  return head;
}

}  // namespace hyperscale::runtime
