#include "plan/url.h"

#include "plan/ascii.h"
#include "plan/host.h"
#include "plan/limits.h"
#include "plan/percent.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

// Raw protocols have no port of their own.
std::uint16_t port_of(std::string_view scheme) {
  if (scheme == "tcp" || scheme == "tls" || scheme == "udp") return 0;
  return scheme == "https" ? kHttpsPort : kHttpPort;
}

// The URL itself is not repeated in a message: its user part may hold a password.
Status check_characters(std::string_view text) {
  if (text.empty()) return invalid("the URL is empty; write for example http://localhost:8080/");
  if (text.size() > kUrlBytesMax) return invalid(fmt::format("the URL is longer than {} bytes", kUrlBytesMax));
  // A host name may go beyond ASCII; other parts are sent as they are.
  const std::size_t mark = text.find("://");
  const std::size_t host_end =
      std::min(text.find_first_of("/?#", mark == std::string_view::npos ? 0 : mark + 3), text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ') return invalid(fmt::format("the URL has a space at position {}; write %20", at + 1));
    if (is_control(c)) return invalid(fmt::format("the URL has a control character at position {}", at + 1));
    if (!is_visible(c) && at >= host_end) {
      return invalid(
          fmt::format("the URL has a byte beyond ASCII at position {}; write it as percent escapes", at + 1));
    }
    if (c == '"' || c == '<' || c == '>' || c == '\\') {
      return invalid(
          fmt::format("the URL has the character {} at position {}; write it as a percent escape", c, at + 1));
    }
  }
  if (const auto at = broken_escape(text)) {
    return invalid(
        fmt::format("the URL has a broken escape at position {}: \"%\" needs two hexadecimal digits", *at + 1));
  }
  return {};
}

// True if "scheme:" is at the start; "localhost:8080" looks the same, so the caller decides by what follows.
std::optional<std::string_view> leading_scheme(std::string_view text) {
  const std::size_t colon = text.find_first_of(":/?#[@");
  if (colon == std::string_view::npos || colon == 0 || text[colon] != ':' || !is_letter(text[0])) return std::nullopt;
  for (const char c : text.substr(0, colon)) {
    if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return std::nullopt;
  }
  return text.substr(0, colon);
}

// Removes "scheme://" from the text.
Result<std::string> take_scheme(std::string_view& text) {
  const std::size_t mark = text.find("://");
  if (mark == std::string_view::npos || mark > text.find_first_of("/?#")) {
    const std::string lower = lower_case(leading_scheme(text).value_or(""));
    if (lower == "http" || lower == "https")
      return invalid(fmt::format("the URL has no \"//\" after \"{0}:\"; write {0}://host/", lower));
    return "http";
  }
  std::string scheme = lower_case(text.substr(0, mark));
  if (is_raw_url(text))
    return invalid(
        fmt::format("the scheme \"{}\" is for raw bytes, and here it has to be http:// or https://", scheme));
  if (scheme != "http" && scheme != "https") {
    return invalid(fmt::format(
        "the scheme \"{}\" is not supported; use http:// or https://, or tcp://, tls:// or udp:// for raw bytes",
        scheme));
  }
  text.remove_prefix(mark + 3);
  return scheme;
}

Result<std::uint16_t> parse_port(std::string_view digits) {
  std::uint32_t port = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return invalid(fmt::format("the port \"{}\" is not a number", digits));
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > UINT16_MAX) return invalid(fmt::format("the port {} is above 65535", digits));
  }
  if (port == 0) return invalid("the port 0 cannot be connected to");
  return static_cast<std::uint16_t>(port);
}

Status parse_authority(std::string_view authority, bool bare, Url& url) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view user_info = authority.substr(0, at);
    const bool ascii = std::ranges::all_of(user_info, is_visible);
    if (!ascii || user_info.find_first_of("@[]^`{|}") != std::string_view::npos) {
      return invalid(
          "the user or password in the URL has a character that must be a percent escape, such as %40 for @");
    }
    url.user_info = user_info;
    authority.remove_prefix(at + 1);
  }
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return invalid("the URL has no \"]\" after the IPv6 address");
  const std::size_t colon = authority.find(':', bracket);
  const std::string_view host = authority.substr(0, colon);
  const std::string_view port = colon == std::string_view::npos ? "" : authority.substr(colon + 1);
  if (port.find(':') != std::string_view::npos) {
    return invalid("the URL has several colons in its host; an IPv6 address is written in brackets, such as [::1]");
  }
  url.port_given = !port.empty();
  url.port = port_of(url.scheme);
  if (url.port_given) {
    const Result<std::uint16_t> number = parse_port(port);
    if (!number) return fail(number.error());
    url.port = *number;
  }
  if (bare && host.empty() && url.port_given && url.user_info.empty()) {
    url.host = "localhost";
    return {};
  }
  Result<std::string> parsed = parse_host(host);
  if (!parsed) return invalid(fmt::format("in the URL, {}", parsed.error().context));
  url.host = std::move(*parsed);
  return {};
}

}  // namespace

std::string Url::authority() const {
  std::string text = host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
  if (port != port_of(scheme)) text += fmt::format(":{}", port);
  return text;
}

std::string Url::text() const {
  return fmt::format("{}://{}{}", scheme, authority(), target);
}

Result<Url> parse_url(std::string_view text) {
  if (Status characters = check_characters(text); !characters) return fail(characters.error());
  text = text.substr(0, text.find('#'));
  const std::size_t whole = text.size();
  Url url;
  Result<std::string> scheme = take_scheme(text);
  if (!scheme) return fail(scheme.error());
  url.scheme = std::move(*scheme);
  const bool bare = text.size() == whole;
  const std::size_t path_at = std::min(text.find_first_of("/?"), text.size());
  if (Status authority = parse_authority(text.substr(0, path_at), bare, url); !authority)
    return fail(authority.error());
  const std::string_view target = text.substr(path_at);
  url.target = target.starts_with('/') ? std::string(target) : fmt::format("/{}", target);
  return url;
}

bool is_raw_url(std::string_view text) {
  const std::string start = lower_case(text.substr(0, 6));
  return start == "tcp://" || start == "tls://" || start == "udp://";
}

Result<Url> parse_raw_url(std::string_view text) {
  if (Status characters = check_characters(text); !characters) return fail(characters.error());
  if (!is_raw_url(text)) return invalid("the URL is not one of tcp://host:port, tls://host:port and udp://host:port");
  Url url;
  url.scheme = lower_case(text.substr(0, 3));
  text.remove_prefix(6);
  if (const std::size_t after = text.find_first_of("/?#"); after != std::string_view::npos)
    return invalid(fmt::format("the URL has something after the port; write {}://host:port", url.scheme));
  if (Status authority = parse_authority(text, false, url); !authority) return fail(authority.error());
  if (!url.user_info.empty()) return invalid(fmt::format("a {}:// URL has no user or password", url.scheme));
  if (!url.port_given)
    return invalid(fmt::format("the URL has no port; write {}://{}:PORT", url.scheme, url.authority()));
  return url;
}

Result<Url> parse_target_url(std::string_view text) {
  return is_raw_url(text) ? parse_raw_url(text) : parse_url(text);
}

}  // namespace hyperscale::plan
