#include "runtime/config/listen_address.h"

#include "runtime/config/safe_text.h"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kDigitsAndDots = "0123456789.";
constexpr std::string_view kHostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

tl::unexpected<Error> bad(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not host:port: {}", printable(text), why));
}

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

bool is_ip(int family, std::string_view host) {
  // A NUL would end the text early for the system's parser.
  if (host.find('\0') != std::string_view::npos) return false;
  unsigned char address[sizeof(in6_addr)];
  return inet_pton(family, std::string(host).c_str(), address) == 1;
}

bool parse_port(std::string_view text, std::uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.ends_with(']')) return bad(text, "add a port, such as 127.0.0.1:8080");
  const std::string_view host = text.substr(0, colon);
  ListenAddress address;
  if (!parse_port(text.substr(colon + 1), address.port)) return bad(text, "the port is a number from 0 to 65535");
  if (host.empty()) return bad(text, "add a host, such as 127.0.0.1 or 0.0.0.0 for every interface");
  if (host.size() > kHostBytesMax) return bad(text, "the host is too long");
  if (host.starts_with('[') && host.ends_with(']')) {
    address.host = host.substr(1, host.size() - 2);
    if (!is_ip(AF_INET6, address.host)) return bad(text, "there is no IPv6 address between the brackets");
    return address;
  }
  if (host.find(':') != std::string_view::npos)
    return bad(text, "an IPv6 address goes in brackets, such as [::1]:8080");
  if (!consists_of(host, kHostCharacters)) return bad(text, "a host has letters, digits, dots and dashes only");
  if (consists_of(host, kDigitsAndDots) && !is_ip(AF_INET, host)) return bad(text, "this is not an IPv4 address");
  address.host = host;
  return address;
}

bool is_loopback(const ListenAddress& address) {
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, address.host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == IN_LOOPBACKNET;
  if (inet_pton(AF_INET6, address.host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return address.host == "localhost";
}

}  // namespace hyperscale::runtime
