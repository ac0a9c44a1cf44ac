#include "apps/hyperscale/ping/service_reply.h"

#include "plan/ascii.h"

#include <algorithm>

namespace hyperscale::app {
namespace {

constexpr std::size_t kCodeDigits = 3;

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// True if a first line of a reply can begin with `start`, which may be incomplete.
bool may_begin_reply(std::string_view start) {
  const std::string_view digits = start.substr(0, kCodeDigits);
  if (!std::ranges::all_of(digits, plan::is_digit)) return false;
  if (!digits.empty() && (digits[0] < '1' || digits[0] > '5')) return false;
  return start.size() <= kCodeDigits || start[kCodeDigits] == ' ' || start[kCodeDigits] == '-' ||
         start.substr(kCodeDigits) == "\r";
}

// RFC 5321 4.2 lets a server omit the text and the blank before it.
bool is_last_line(std::string_view line, std::string_view code) {
  return line.starts_with(code) && (line.size() == kCodeDigits || line[kCodeDigits] == ' ');
}

}  // namespace

ServiceReply::State ServiceReply::take(std::string_view bytes) {
  if (state_ != State::kIncomplete) return state_;
  const std::size_t room = kServiceReplyBytesMax - bytes_.size();
  bytes_ += bytes.substr(0, room);
  state_ = read_lines();
  if (state_ == State::kIncomplete && bytes.size() > room) state_ = State::kTooLong;
  return state_;
}

ServiceReply::State ServiceReply::read_lines() {
  const std::string_view all = bytes_;
  if (line_begin_ == 0 && !may_begin_reply(all.substr(0, all.find('\n')))) return State::kNoReply;
  for (std::size_t end = all.find('\n', line_begin_); end != std::string_view::npos;
       end = all.find('\n', line_begin_)) {
    const std::string_view line = without_return(all.substr(line_begin_, end - line_begin_));
    if (line_begin_ == 0) {
      if (line.size() < kCodeDigits) return State::kNoReply;
      for (const char digit : line.substr(0, kCodeDigits)) code_ = code_ * 10 + (digit - '0');
    }
    if (is_last_line(line, all.substr(0, kCodeDigits))) return State::kComplete;
    line_begin_ = end + 1;
  }
  return State::kIncomplete;
}

std::string_view ServiceReply::first_line() const {
  return without_return(std::string_view(bytes_).substr(0, bytes_.find('\n')));
}

}  // namespace hyperscale::app
