#include "load/protocols/http/request_preparation.h"

#include "base/append_format.h"
#include "plan/url.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

constexpr std::string_view kUserAgent = "hyperscale";
constexpr std::size_t kPipelinedBytesMax = 1 << 20;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto allowed = [&](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_idempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> kMethods = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"};
  return std::ranges::find(kMethods, method) != kMethods.end();
}

bool is_field_value(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

// Whether the proxy itself gets the request, not a tunnel: a request in clear text.
bool is_for_proxy(const plan::Url& url, const RequestShape& shape) {
  return shape.through_proxy && !url.secure();
}

bool has_proxy_authorization(const plan::Request& request) {
  return std::ranges::any_of(request.headers,
                             [](const plan::Header& header) { return lower(header.name) == "proxy-authorization"; });
}

Status check(const plan::Request& request) {
  if (!is_token(request.method))
    return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not an HTTP method", request.method));
  for (const plan::Header& header : request.headers) {
    if (!is_token(header.name))
      return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not a header name", header.name));
    if (!is_field_value(header.value)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the value of header {} has a line break or another control character", header.name));
    }
  }
  return {};
}

// All fields below the request line, in the order of sending: Host first; headers of the plan replace the defaults.
std::vector<HeaderPair> fields_of(const plan::Request& request, const plan::Url& url, const RequestShape& shape) {
  std::vector<HeaderPair> fields;
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(request.headers, [&](const plan::Header& header) { return lower(header.name) == name; });
  };
  if (!given("host")) fields.push_back({"Host", url.authority()});
  if (!given("user-agent")) fields.push_back({"User-Agent", std::string(kUserAgent)});
  if (!given("accept")) fields.push_back({"Accept", "*/*"});
  for (const plan::Header& header : request.headers) fields.push_back({header.name, header.value});
  constexpr std::array<std::string_view, 3> kBodyMethods = {"POST", "PUT", "PATCH"};
  const bool wants_length =
      !request.body.empty() || std::ranges::find(kBodyMethods, request.method) != kBodyMethods.end();
  if (wants_length && !given("content-length") && !given("transfer-encoding"))
    fields.push_back({"Content-Length", fmt::format("{}", request.body.size())});
  if (!shape.keep_alive && !given("connection")) fields.push_back({"Connection", "close"});
  if (is_for_proxy(url, shape) && !shape.proxy_authorization.empty() && !given("proxy-authorization"))
    fields.push_back({"Proxy-Authorization", shape.proxy_authorization});
  return fields;
}

// Fields of a single hop, which HTTP/2 forbids (RFC 9113 8.2.2).
bool is_of_connection(std::string_view lower_name) {
  constexpr std::array<std::string_view, 7> kNames = {
      "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "host", "proxy-authorization"};
  return std::ranges::find(kNames, lower_name) != kNames.end();
}

void encode_h2(PreparedRequest& out, const plan::Request& request, const plan::Url& url,
               const std::vector<HeaderPair>& fields) {
  std::string authority = url.authority();
  for (const HeaderPair& field : fields)
    if (lower(field.name) == "host") authority = field.value;
  out.h2 = {{":method", request.method}, {":scheme", url.scheme}, {":authority", authority}, {":path", url.target}};
  for (const HeaderPair& field : fields) {
    std::string name = lower(field.name);
    if (!is_of_connection(name)) out.h2.push_back({std::move(name), field.value});
  }
}

}  // namespace

Result<PreparedRequest> prepare_request(const plan::Request& request, const RequestShape& shape) {
  if (auto checked = check(request); !checked) return fail(checked.error());
  const auto url = plan::parse_url(request.url);
  if (!url) return fail(url.error());
  if (shape.through_proxy && url->secure() && has_proxy_authorization(request))
    return fail(
        ErrorCode::kInvalidArgument,
        "Proxy-Authorization would go to the server inside the tunnel; give the proxy's user and password in its "
        "address: --proxy http://USER:PASSWORD@HOST:PORT");
  const bool absolute = is_for_proxy(*url, shape);
  const std::vector<HeaderPair> fields = fields_of(request, *url, shape);

  PreparedRequest out;
  out.h1 = fmt::format("{} {} HTTP/1.1\r\n", request.method, absolute ? url->text() : url->target);
  for (const HeaderPair& field : fields) append_format(out.h1, "{}: {}\r\n", field.name, field.value);
  out.h1_patch = out.h1.size();
  out.h1 += "\r\n";
  out.h1 += request.body;
  if (shape.pipeline > 1 && out.h1.size() * shape.pipeline <= kPipelinedBytesMax)
    for (std::uint32_t i = 0; i < shape.pipeline; ++i) out.h1_pipelined += out.h1;
  encode_h2(out, request, *url, fields);
  out.body = request.body;
  out.is_head = request.method == "HEAD";
  out.idempotent = is_idempotent(request.method);
  out.asks_upgrade =
      std::ranges::any_of(fields, [](const HeaderPair& field) { return lower(field.name) == "upgrade"; });
  out.wants_headers = shape.wants_headers;
  out.wants_body = shape.wants_body;
  out.secure = url->secure();
  out.host = url->host;
  out.port = url->port;
  out.path = url->target;
  out.has_cookies = std::ranges::any_of(fields, [](const HeaderPair& field) { return lower(field.name) == "cookie"; });
  out.source = std::make_shared<plan::Request>(request);
  out.shape = std::make_shared<RequestShape>(shape);
  return out;
}

PreparedRequest with_cookies(const PreparedRequest& request, const std::string& cookies) {
  PreparedRequest out = request;
  out.lasting = false;
  out.has_cookies = true;
  out.h1.insert(out.h1_patch, fmt::format("Cookie: {}\r\n", cookies));
  out.h1_patch = 0;
  out.h1_pipelined.clear();
  out.h2.push_back({"cookie", cookies});
  return out;
}

Result<PreparedRequest> redirected_request(const PreparedRequest& request, std::uint16_t status,
                                           const std::string& location) {
  const auto from = plan::parse_url(request.source->url);
  if (!from) return fail(from.error());
  const auto to = plan::resolve_reference(*from, location);
  if (!to) return fail(to.error());
  plan::Request next = *request.source;
  next.url = to->text();
  const bool becomes_get =
      status == 303 ? next.method != "HEAD" : (status == 301 || status == 302) && next.method == "POST";
  if (becomes_get) {
    next.method = "GET";
    next.body.clear();
  }
  const bool elsewhere = to->host != from->host || to->port != from->port || to->secure() != from->secure();
  std::erase_if(next.headers, [&](const plan::Header& header) {
    const std::string name = lower(header.name);
    if (becomes_get && (name == "content-type" || name == "content-length")) return true;
    if (to->secure() && name == "proxy-authorization") return true;
    return elsewhere && (name == "authorization" || name == "cookie" || name == "host");
  });
  auto prepared = prepare_request(next, *request.shape);
  if (prepared) prepared->timeout = request.timeout;
  return prepared;
}

}  // namespace hyperscale::load
