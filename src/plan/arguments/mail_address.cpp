#include "plan/arguments/mail_address.h"

#include "plan/arguments/mail_header.h"
#include "plan/ascii.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::size_t kAddressMax = 254;  // RFC 5321 4.5.3.1.3, without its brackets
constexpr std::size_t kLocalPartMax = 64;

bool is_atom_char(char c) {
  return is_letter(c) || is_digit(c) ||
         (c != 0 && std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos);
}
bool is_domain_char(char c) {
  return is_letter(c) || is_digit(c) || c == '-';
}

// Non-empty parts separated by dots.
bool is_dotted(std::string_view text, bool (*is_part_char)(char)) {
  if (text.empty() || text.front() == '.' || text.back() == '.' || text.find("..") != std::string_view::npos)
    return false;
  return std::ranges::all_of(text, [&](char c) { return c == '.' || is_part_char(c); });
}

bool is_domain(std::string_view domain) {
  if (domain.starts_with('[') && domain.ends_with(']')) {  // an address literal: [192.0.2.1], [IPv6:2001:db8::1]
    const std::string_view literal = domain.substr(1, domain.size() - 2);
    return !literal.empty() &&
           std::ranges::all_of(literal, [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == ':'; });
  }
  return is_dotted(domain, is_domain_char) && !domain.starts_with('-') && !domain.ends_with('-');
}

// One phrase: words as they are, in quotes, or encoded.
std::vector<std::string> name_pieces(const std::string& name) {
  constexpr std::size_t kQuotedMax = 60;  // it cannot be folded
  if (std::ranges::all_of(name, [](char c) { return is_atom_char(c) || c == ' '; })) return mail_text_pieces(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  quoted += '"';
  const bool ascii = std::ranges::all_of(name, [](char c) { return is_visible(c) || c == ' '; });
  if (!ascii || name.find("=?") != std::string::npos || quoted.size() > kQuotedMax) return encoded_words(name);
  return {quoted};
}

}  // namespace

// The address is not repeated raw: it may contain control sequences for the terminal.
Status check_mail_address(const MailAddress& address) {
  if (Status name = check_mail_text("the name of a mail address", address.name); !name) return name;
  const std::string_view text = address.address;
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || text.size() > kAddressMax || at > kLocalPartMax ||
      !is_dotted(text.substr(0, at), is_atom_char) || !is_domain(text.substr(at + 1))) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{:?} is not a mail address such as ada@example.org", text.substr(0, kAddressMax)));
  }
  return {};
}

std::string address_header(std::string_view header, const std::vector<MailAddress>& addresses) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const MailAddress& address = addresses[i];
    if (!address.name.empty()) std::ranges::move(name_pieces(address.name), std::back_inserter(pieces));
    pieces.push_back(address.name.empty() ? address.address : fmt::format("<{}>", address.address));
    if (i + 1 < addresses.size()) pieces.back() += ',';
  }
  return folded_header(header, pieces);
}

}  // namespace hyperscale::plan
