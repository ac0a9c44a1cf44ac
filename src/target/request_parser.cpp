#include "target/request_parser.h"

#include "base/trimmed.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hyperscale::target {
namespace {

using CharSet = std::array<bool, 256>;

constexpr CharSet char_set(auto contains) {
  CharSet set{};
  for (int c = 0; c < 256; ++c) set[static_cast<std::size_t>(c)] = contains(c);
  return set;
}

constexpr bool is_alpha_or_digit(int c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

constexpr CharSet kTokenChars = char_set([](int c) {
  return is_alpha_or_digit(c) ||
         (c != 0 && std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos);
});
constexpr CharSet kTargetChars = char_set([](int c) { return c > ' ' && c != 0x7f; });
constexpr CharSet kValueChars = char_set([](int c) { return c == '\t' || (c >= ' ' && c != 0x7f); });

bool all_in(const CharSet& set, std::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return set[static_cast<unsigned char>(c)]; });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = ascii_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

RequestParser::Progress RequestParser::consume(std::string_view bytes) {
  if (phase_ == Phase::kDone) start_next();
  std::size_t used = 0;
  if (phase_ == Phase::kHead) used = read_head(bytes);
  while (used < bytes.size() && phase_ != Phase::kHead && phase_ != Phase::kDone && phase_ != Phase::kFailed) {
    used += read_body(bytes.substr(used));
  }
  if (phase_ == Phase::kFailed) return {State::kError, used};
  if (phase_ == Phase::kDone) return {State::kComplete, used};
  if (phase_ != Phase::kHead) keep_head();
  return {State::kMore, used};
}

Request RequestParser::request() {
  fields_.clear();
  for (const FieldPlace& place : places_) fields_.push_back({text(place.name), text(place.value)});
  return {.method = text(method_),
          .target = text(target_),
          .fields = fields_,
          .body = whole_body_.empty() ? std::string_view(body_) : whole_body_,
          .body_cut = body_cut_};
}

bool RequestParser::take_wants_continue() {
  const bool in_body = phase_ != Phase::kHead && phase_ != Phase::kDone && phase_ != Phase::kFailed;
  return in_body && std::exchange(wants_continue_, false);
}

void RequestParser::start_next() {
  phase_ = Phase::kHead;
  buffer_.clear();
  line_at_ = scanned_ = head_bytes_ = 0;
  method_ = target_ = {};
  places_.clear();
  minor_version_ = 1;
  keep_alive_ = true;
  connection_close_ = connection_keep_alive_ = has_host_ = has_length_ = chunked_ = wants_continue_ = false;
  keep_body_ = body_cut_ = false;
  length_left_ = body_bytes_ = 0;
  trailer_bytes_ = 0;
  whole_body_ = {};
  body_.clear();
  line_.clear();
}

void RequestParser::refuse(std::uint16_t status, std::string_view why) {
  phase_ = Phase::kFailed;
  error_status_ = status;
  error_ = why;
}

std::size_t RequestParser::read_head(std::string_view bytes) {
  const std::size_t before = buffer_.size();
  std::string_view head = bytes;
  if (before > 0) {
    buffer_.append(bytes.substr(0, kHeadBytesMax + 1 - before));
    head = buffer_;
  }
  base_ = head.data();
  while (phase_ == Phase::kHead) {
    const std::size_t line_feed = head.find('\n', scanned_);
    if (std::min(line_feed, head.size()) >= kHeadBytesMax) {
      refuse(431, "the head of the request is too large");
    } else if (line_feed == std::string_view::npos) {
      break;
    } else {
      take_line(head, line_at_, line_feed);
      line_at_ = scanned_ = line_feed + 1;
    }
  }
  if (phase_ == Phase::kFailed) return 0;
  if (phase_ != Phase::kHead) {
    head_bytes_ = line_at_;
    if (before > 0) buffer_.resize(head_bytes_);
    return head_bytes_ - before;
  }
  // A peer of another protocol, such as TLS, is refused at once, because it may never send a line end.
  if (!head.empty() && method_.size == 0 && head.front() != '\r' &&
      !kTokenChars[static_cast<unsigned char>(head.front())]) {
    refuse(400, "this is not HTTP");
    return 0;
  }
  scanned_ = head.size();
  if (before == 0) buffer_.assign(bytes);
  return bytes.size();
}

void RequestParser::take_line(std::string_view head, std::size_t begin, std::size_t line_feed) {
  if (line_feed == begin || head[line_feed - 1] != '\r') return refuse(400, "a line does not end with CR LF");
  const std::string_view line = head.substr(begin, line_feed - 1 - begin);
  if (method_.size == 0) {
    // Old clients send an empty line before a request (RFC 9112, 2.2).
    if (!line.empty()) take_request_line(begin, line);
  } else if (line.empty()) {
    finish_head();
  } else {
    take_field(begin, line);
  }
}

void RequestParser::take_request_line(std::size_t begin, std::string_view line) {
  const std::size_t first_space = line.find(' ');
  const std::size_t last_space = line.rfind(' ');
  if (first_space == std::string_view::npos || first_space == last_space) {
    return refuse(400, "the request line is not 'METHOD target HTTP/1.1'");
  }
  const std::string_view method = line.substr(0, first_space);
  const std::string_view target = line.substr(first_space + 1, last_space - first_space - 1);
  const std::string_view version = line.substr(last_space + 1);
  if (method.empty() || !all_in(kTokenChars, method)) return refuse(400, "the method is not a token");
  if (target.empty() || !all_in(kTargetChars, target))
    return refuse(400, "the request target has a forbidden character");
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return refuse(400, "the version is neither HTTP/1.1 nor HTTP/1.0");
  minor_version_ = version.back() - '0';
  method_ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(method.size())};
  target_ = {static_cast<std::uint32_t>(begin + first_space + 1), static_cast<std::uint32_t>(target.size())};
}

void RequestParser::take_field(std::size_t begin, std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return refuse(400, "a header line is not 'name: value'");
  const std::string_view name = line.substr(0, colon);
  if (!all_in(kTokenChars, name)) return refuse(400, "a header name is not a token");
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!all_in(kValueChars, value)) return refuse(400, "a header value has a forbidden character");
  if (places_.size() == kFieldsMax) return refuse(431, "the request has too many headers");
  const auto value_at = static_cast<std::uint32_t>(begin + static_cast<std::size_t>(value.data() - line.data()));
  places_.push_back({{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(name.size())},
                     {value_at, static_cast<std::uint32_t>(value.size())}});
  take_framing_field(name, value);
}

void RequestParser::take_framing_field(std::string_view name, std::string_view value) {
  switch (name.size()) {
    case 4:
      if (!same_ignoring_case(name, "host")) return;
      if (std::exchange(has_host_, true)) refuse(400, "two Host headers");
      return;
    case 6:
      if (same_ignoring_case(name, "expect")) wants_continue_ = same_ignoring_case(value, "100-continue");
      return;
    case 10:
      if (!same_ignoring_case(name, "connection")) return;
      connection_close_ |= lists_token(value, "close");
      connection_keep_alive_ |= lists_token(value, "keep-alive");
      return;
    case 14:
      if (same_ignoring_case(name, "content-length")) take_content_length(value);
      return;
    case 17:
      if (!same_ignoring_case(name, "transfer-encoding")) return;
      if (chunked_ || !same_ignoring_case(value, "chunked"))
        return refuse(400, "a Transfer-Encoding other than chunked");
      chunked_ = true;
      return;
    default:
      return;
  }
}

void RequestParser::take_content_length(std::string_view value) {
  if (std::exchange(has_length_, true)) return refuse(400, "two Content-Length headers");
  if (value.empty() || !std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return refuse(400, "the Content-Length is not a number");
  }
  std::uint64_t length = 0;
  for (const char c : value) {
    length = length * 10 + static_cast<std::uint64_t>(c - '0');
    if (length > kBodyBytesMax) return refuse(413, "the body is too large");
  }
  length_left_ = length;
}

void RequestParser::finish_head() {
  if (minor_version_ == 1 && !has_host_) return refuse(400, "the Host header is missing");
  if (chunked_ && has_length_) return refuse(400, "both Content-Length and Transfer-Encoding");
  if (chunked_ && minor_version_ == 0) return refuse(400, "Transfer-Encoding in HTTP/1.0");
  keep_alive_ = !connection_close_ && (minor_version_ == 1 || connection_keep_alive_);
  wants_continue_ &= minor_version_ == 1;
  keep_body_ = keeps_body_(text(target_));
  if (chunked_) {
    phase_ = Phase::kChunkSize;
  } else {
    phase_ = length_left_ > 0 ? Phase::kFixedBody : Phase::kDone;
  }
}

std::size_t RequestParser::read_body(std::string_view bytes) {
  if (phase_ == Phase::kFixedBody) return read_fixed_body(bytes);
  if (phase_ == Phase::kChunkData) return read_chunk_data(bytes);
  return read_body_line(bytes);
}

std::size_t RequestParser::read_fixed_body(std::string_view bytes) {
  const std::size_t count = std::min<std::uint64_t>(length_left_, bytes.size());
  const bool whole = body_bytes_ == 0 && count == length_left_ && count <= kKeptBodyBytesMax;
  if (whole && keep_body_) {
    body_bytes_ = count;
    whole_body_ = bytes.substr(0, count);
  } else {
    add_body(bytes.substr(0, count));
  }
  length_left_ -= count;
  if (length_left_ == 0) phase_ = Phase::kDone;
  return count;
}

std::size_t RequestParser::read_chunk_data(std::string_view bytes) {
  const std::size_t count = std::min<std::uint64_t>(length_left_, bytes.size());
  add_body(bytes.substr(0, count));
  length_left_ -= count;
  if (length_left_ == 0) phase_ = Phase::kChunkEnd;
  return count;
}

std::size_t RequestParser::read_body_line(std::string_view bytes) {
  const std::size_t line_feed = bytes.find('\n');
  const std::size_t count = line_feed == std::string_view::npos ? bytes.size() : line_feed + 1;
  const bool trailers = phase_ == Phase::kTrailers;
  const std::size_t limit = trailers ? kTrailerBytesMax - trailer_bytes_ : kChunkLineBytesMax;
  if (line_.size() + count > limit) {
    refuse(trailers ? 431 : 400, trailers ? "the trailers are too large" : "a chunk line is too long");
    return count;
  }
  line_.append(bytes.substr(0, count));
  if (line_feed != std::string_view::npos) take_body_line();
  return count;
}

void RequestParser::take_body_line() {
  if (trailer_bytes_ += phase_ == Phase::kTrailers ? line_.size() : 0; !line_.ends_with("\r\n")) {
    return refuse(400, "a line does not end with CR LF");
  }
  line_.resize(line_.size() - 2);
  if (phase_ == Phase::kChunkSize) {
    take_chunk_size();
  } else if (phase_ == Phase::kChunkEnd) {
    if (!line_.empty()) return refuse(400, "a chunk is longer than its size");
    phase_ = Phase::kChunkSize;
  } else if (line_.empty()) {
    phase_ = Phase::kDone;
  } else {
    const std::size_t colon = line_.find(':');
    const std::string_view line = line_;
    if (colon == std::string::npos || colon == 0 || !all_in(kTokenChars, line.substr(0, colon)) ||
        !all_in(kValueChars, line.substr(colon + 1))) {
      return refuse(400, "a trailer line is not 'name: value'");
    }
  }
  line_.clear();
}

void RequestParser::take_chunk_size() {
  const std::string_view line = line_;
  const std::string_view digits = line.substr(0, line.find(';'));
  std::uint64_t size = 0;
  for (const char c : digits) {
    const int digit = hex_digit(c);
    if (digit < 0) return refuse(400, "a chunk size is not a hexadecimal number");
    size = size * 16 + static_cast<std::uint64_t>(digit);
    if (size > kBodyBytesMax) return refuse(413, "the body is too large");
  }
  if (digits.empty()) return refuse(400, "a chunk size is not a hexadecimal number");
  if (!all_in(kValueChars, line)) return refuse(400, "a chunk extension has a forbidden character");
  if (body_bytes_ + size > kBodyBytesMax) return refuse(413, "the body is too large");
  length_left_ = size;
  phase_ = size > 0 ? Phase::kChunkData : Phase::kTrailers;
}

void RequestParser::add_body(std::string_view bytes) {
  body_bytes_ += bytes.size();
  if (!keep_body_) return;
  body_cut_ |= body_.size() + bytes.size() > kKeptBodyBytesMax;
  if (!body_cut_) body_.append(bytes);
}

// Copies the head: the caller's bytes are not valid any more when the body is complete.
void RequestParser::keep_head() {
  if (!buffer_.empty()) return;
  buffer_.assign(base_, head_bytes_);
  base_ = buffer_.data();
}

}  // namespace hyperscale::target
