#include "load/protocols/http1/framing_fields.h"

#include "load/protocols/http1/field_line.h"
#include "load/protocols/http1/line_scan.h"

#include <cstddef>

namespace hyperscale::load {
namespace {

// Removes the first element from a comma-separated list and returns it without surrounding white space. Commas inside
// quotes do not separate. Null data means that a quote is not closed.
std::string_view take_element(std::string_view& list) {
  bool quoted = false;
  std::size_t at = 0;
  for (; at < list.size() && (quoted || list[at] != ','); ++at) {
    if (list[at] == '"') quoted = !quoted;
    if (quoted && list[at] == '\\') ++at;
  }
  if (quoted) {
    list = {};
    return {};
  }
  const std::string_view element = list.substr(0, at);
  list.remove_prefix(at < list.size() ? at + 1 : at);
  return without_surrounding_space(element);
}

struct Number {
  std::uint64_t value;
  const char* fault;
};

Number parse_length(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return {0, "a Content-Length that is not a number"};
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit) return {0, "a Content-Length above 64 bits"};
    value = value * 10 + digit;
  }
  return {value, digits.empty() ? "a Content-Length that is not a number" : nullptr};
}

}  // namespace

const char* FramingFields::fault() const {
  if (fault_ != nullptr) return fault_;
  if (has_transfer_encoding_ && codings_ == 0) return "a Transfer-Encoding that names no coding";
  if (has_transfer_encoding_ && has_length_) return "both Transfer-Encoding and Content-Length";
  return nullptr;
}

void FramingFields::note_c(std::string_view name, std::string_view value) {
  if (is_same_token(name, "content-length")) note_content_length(value);
  if (is_same_token(name, "connection")) note_connection(value);
}

void FramingFields::note_t(std::string_view name, std::string_view value) {
  if (is_same_token(name, "transfer-encoding")) note_transfer_encoding(value);
}

// The same length several times, as fields or as a list, is one length (RFC 9112, section 6.3, rule 5).
void FramingFields::note_content_length(std::string_view value) {
  do {
    const std::size_t comma = value.find(',');
    const auto [length, fault] = parse_length(without_surrounding_space(value.substr(0, comma)));
    if (fault != nullptr) return set_fault(fault);
    if (has_length_ && length != length_) return set_fault("two different Content-Length fields");
    if (comma != std::string_view::npos && comma + 1 == value.size())
      return set_fault("a Content-Length that is not a number");
    has_length_ = true;
    length_ = length;
    value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
  } while (!value.empty());
}

void FramingFields::note_transfer_encoding(std::string_view value) {
  has_transfer_encoding_ = true;
  while (!value.empty()) {
    const std::string_view element = take_element(value);
    if (element.data() == nullptr) return set_fault("a malformed Transfer-Encoding");
    if (!element.empty()) note_coding(element);
  }
}

void FramingFields::note_coding(std::string_view element) {
  const std::size_t length = token_length(element);
  const std::string_view parameters = without_surrounding_space(element.substr(length));
  if (length == 0 || (!parameters.empty() && parameters.front() != ';')) {
    return set_fault("a malformed Transfer-Encoding");
  }
  ++codings_;
  last_is_chunked_ = is_same_token(element.substr(0, length), "chunked");
  if (!last_is_chunked_) return;
  if (chunked_) return set_fault("a Transfer-Encoding that is chunked twice");
  if (!parameters.empty()) return set_fault("a chunked Transfer-Encoding with parameters");
  chunked_ = true;
}

void FramingFields::note_connection(std::string_view value) {
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view option = without_surrounding_space(value.substr(0, comma));
    if (is_same_token(option, "close")) close_ = true;
    if (is_same_token(option, "keep-alive")) keep_alive_ = true;
    value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
  }
}

}  // namespace hyperscale::load
