#include "runtime/http/access_rules.h"

#include "runtime/http/http_target.h"

#include <algorithm>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kJson = "application/json";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_port(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Host without its port; nothing when it is no host at all.
std::optional<std::string_view> name_of(std::string_view host) {
  const bool bracketed = host.starts_with('[');
  const std::size_t end = bracketed ? host.find(']') : host.find(':');
  if (end == std::string_view::npos) return bracketed ? std::nullopt : std::optional(host);
  const std::string_view rest = host.substr(bracketed ? end + 1 : end);
  if (!rest.empty() && (!rest.starts_with(':') || !is_port(rest.substr(1)))) return std::nullopt;
  return bracketed ? host.substr(1, end - 1) : host.substr(0, end);
}

bool is_address(std::string_view name, bool v6) {
  boost::system::error_code bad;
  const auto address = boost::asio::ip::make_address(name, bad);
  return !bad && address.is_v6() == v6;
}

AccessRefusal refused(int status, std::string_view reason, ErrorCode code, std::string message) {
  AccessRefusal refusal{reason, Response::error({code, std::move(message)})};
  refusal.response.status = status;
  return refusal;
}

// A page may call the listener it came from. Behind a proxy that ends TLS its scheme is https although ours is not.
bool origin_is_ours(std::string_view origin, std::string_view host, bool tls) {
  constexpr std::string_view kSecure = "https://";
  constexpr std::string_view kPlain = "http://";
  if (origin.starts_with(kSecure)) return same(origin.substr(kSecure.size()), host);
  return !tls && origin.starts_with(kPlain) && same(origin.substr(kPlain.size()), host);
}

}  // namespace

bool host_is_ours(std::string_view host, const std::vector<std::string>& hosts) {
  const auto name = name_of(host);
  if (!name || name->empty()) return false;
  if (host.starts_with('[')) return is_address(*name, true);
  if (same(*name, "localhost") || is_address(*name, false)) return true;
  return std::ranges::any_of(hosts, [&](const std::string& own) { return same(own, *name); });
}

std::optional<AccessRefusal> refusal_of_sender(const Request& request, const AccessRules& rules) {
  const auto is_foreign = [&](std::string_view host) { return !host_is_ours(host, rules.hosts); };
  const auto other_host = [] {
    return refused(421, "host", ErrorCode::kUnauthorized,
                   "the Host of this request is no address and no name of this server; names are listed in api.hosts");
  };
  const auto authority = authority_of_target(request.target);
  if (authority && is_foreign(*authority)) return other_host();
  const std::string_view host = request.header("host").value_or("");
  for (const Header& header : request.headers) {
    const std::string_view value = header.value;
    // HTTP/2 allows a host field beside :authority; both must hold. A request without any is HTTP/1.0, no browser.
    if (header.name == "host" && is_foreign(value)) return other_host();
    if (header.name == "origin" && !origin_is_ours(value, host, rules.tls))
      return refused(403, "origin", ErrorCode::kUnauthorized, "a page of another origin may not call this server");
    if (header.name == "sec-fetch-site" && value != "same-origin" && value != "none")
      return refused(403, "origin", ErrorCode::kUnauthorized, "a page of another site may not call this server");
  }
  return std::nullopt;
}

std::optional<AccessRefusal> refusal_of_token(const Request& request, const AccessRules& rules) {
  if (!rules.tls && !request.peer_is_loopback)
    return refused(403, "clear_text", ErrorCode::kUnauthorized,
                   "this call needs the token, which must not travel in clear text: use TLS or loopback");
  const auto header = request.header("authorization");
  if (rules.token && header && header->size() > kBearer.size() && same(header->substr(0, kBearer.size()), kBearer) &&
      rules.token->matches(header->substr(kBearer.size())))
    return std::nullopt;
  AccessRefusal refusal = refused(401, "unauthorized", ErrorCode::kUnauthorized, "this call needs the token");
  refusal.response.headers.push_back({"www-authenticate", "Bearer"});
  return refusal;
}

std::optional<AccessRefusal> refusal_of_media(const Request& request, bool has_body) {
  if (request.method == "GET" || request.method == "HEAD") return std::nullopt;
  const auto type = request.header("content-type");
  if (!type && !has_body) return std::nullopt;
  std::string_view media = type.value_or("");
  media = media.substr(0, media.find_first_of("; \t"));
  if (same(media, kJson)) return std::nullopt;
  return refused(415, "media_type", ErrorCode::kInvalidArgument,
                 "the body must be sent as content-type: application/json (curl: --json)");
}

}  // namespace hyperscale::runtime
