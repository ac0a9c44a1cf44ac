#include "wire/node_identity.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kGroups = 8;

// Digits only, no sign, no leading zero beyond "0" itself: an address has one spelling.
std::optional<std::uint16_t> parse_number(std::string_view digits, int base, std::uint16_t largest, std::size_t most) {
  std::uint16_t value = 0;
  if (digits.empty() || digits.size() > most) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || value > largest) return std::nullopt;
  if (base == 10 && digits.size() > 1 && digits.front() == '0') return std::nullopt;
  return value;
}

std::optional<std::array<std::uint8_t, 4>> parse_v4(std::string_view text) {
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (i == bytes.size() - 1)) return std::nullopt;
    const auto part = parse_number(text.substr(0, dot), 10, 255, 3);
    if (!part) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(*part);
    if (dot != std::string_view::npos) text.remove_prefix(dot + 1);
  }
  return bytes;
}

// Appends the groups of "1:2:ab" to `bytes`; the last may be an IPv4 address. False when `text` has other or too many.
bool append_groups(std::string_view text, std::string& bytes) {
  while (!text.empty()) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (colon == std::string_view::npos && group.find('.') != std::string_view::npos) {
      const auto v4 = parse_v4(group);
      if (!v4) return false;
      bytes.append(v4->begin(), v4->end());
      return bytes.size() <= kGroups * 2;
    }
    const auto number = parse_number(group, 16, 0xffff, 4);
    if (!number || bytes.size() >= kGroups * 2) return false;
    bytes.push_back(static_cast<char>(*number >> 8));
    bytes.push_back(static_cast<char>(*number & 0xff));
    if (colon == std::string_view::npos) return true;
    text.remove_prefix(colon + 1);
    if (text.empty()) return false;  // ends in a single colon
  }
  return true;
}

std::optional<std::array<std::uint8_t, 16>> parse_v6(std::string_view text) {
  const std::size_t gap = text.find("::");
  std::string head;
  std::string tail;
  if (gap == std::string_view::npos) {
    if (!append_groups(text, head) || head.size() != kGroups * 2) return std::nullopt;
  } else {
    const std::string_view before = text.substr(0, gap);
    // An IPv4 address may stand at the end only.
    if (before.find('.') != std::string_view::npos) return std::nullopt;
    if (!append_groups(before, head) || !append_groups(text.substr(gap + 2), tail)) return std::nullopt;
    if (head.size() + tail.size() > (kGroups - 1) * 2) return std::nullopt;
  }
  std::array<std::uint8_t, 16> ip{};
  std::copy(head.begin(), head.end(), ip.begin());
  std::copy(tail.begin(), tail.end(), ip.end() - static_cast<std::ptrdiff_t>(tail.size()));
  return ip;
}

// RFC 5952: lower case, the longest run of at least two zero groups (the first of equals) as "::".
std::string v6_text(const std::array<std::uint8_t, 16>& ip) {
  std::array<unsigned, kGroups> groups{};
  for (std::size_t i = 0; i < kGroups; ++i) groups[i] = static_cast<unsigned>(ip[2 * i] << 8 | ip[2 * i + 1]);
  std::size_t run_at = kGroups;
  std::size_t run = 1;
  for (std::size_t i = 0; i < kGroups; ++i) {
    std::size_t end = i;
    while (end < kGroups && groups[end] == 0) ++end;
    if (end - i > run) {
      run_at = i;
      run = end - i;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (i == run_at) {
      text += "::";
      i += run - 1;
    } else {
      if (!text.empty() && text.back() != ':') text += ':';
      text += fmt::format("{:x}", groups[i]);
    }
  }
  return text;
}

}  // namespace

std::string_view name(NodeRole role) {
  switch (role) {
    case NodeRole::kGate:
      return "gate";
    case NodeRole::kManager:
      return "manager";
    case NodeRole::kWorker:
      return "worker";
  }
  UNREACHABLE("node role {}", static_cast<int>(role));
}

Result<NodeRole> parse_node_role(std::string_view text) {
  for (const NodeRole role : {NodeRole::kGate, NodeRole::kManager, NodeRole::kWorker}) {
    if (text == name(role)) return role;
  }
  return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not a role: gate, manager or worker", text));
}

bool is_mapped_v4(const NodeAddress& address) {
  return std::equal(kMappedV4Prefix.begin(), kMappedV4Prefix.end(), address.ip.begin());
}

NodeAddress address_v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d, std::uint16_t port) {
  return {.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d}, .port = port};
}

Result<NodeAddress> parse_node_address(std::string_view text) {
  const auto refuse = [&] {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not an address: write 10.0.0.1:7100 or [fd00::1]:7100", text));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse();
  const auto port = parse_number(text.substr(colon + 1), 10, 0xffff, 5);
  std::string_view host = text.substr(0, colon);
  if (!port) return refuse();
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    const auto ip = host.empty() ? std::nullopt : parse_v6(host);
    if (!ip) return refuse();
    return NodeAddress{.ip = *ip, .port = *port};
  }
  const auto v4 = parse_v4(host);
  if (!v4) return refuse();
  return address_v4((*v4)[0], (*v4)[1], (*v4)[2], (*v4)[3], *port);
}

std::string to_string(const NodeAddress& address) {
  const auto& ip = address.ip;
  if (is_mapped_v4(address)) return fmt::format("{}.{}.{}.{}:{}", ip[12], ip[13], ip[14], ip[15], address.port);
  return fmt::format("[{}]:{}", v6_text(ip), address.port);
}

bool related(const NodeIdentity& a, const NodeIdentity& b) {
  if (a.role == NodeRole::kGate && b.role == NodeRole::kGate) return true;
  if (a.role == NodeRole::kGate || b.role == NodeRole::kGate) {
    return a.role == NodeRole::kManager || b.role == NodeRole::kManager;
  }
  // Workers watch each other too: a few managers alone could not probe a thousand of them in time.
  return a.datacenter == b.datacenter;
}

}  // namespace hyperscale::wire
