// ServiceReply: the reply of an SMTP or FTP server (RFC 5321 4.2, RFC 959 4.2), read as it arrives.
//
//   "220 mail.example ready"            one line
//   "220-welcome" ... "220 ready"       several; the last has the code and a blank
//
// Pure; one thread at a time. A peer is not trusted: at most kServiceReplyBytesMax are kept, and a first line that
// cannot begin a reply is refused at its first wrong byte. The text must be sanitised before it is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::app {

inline constexpr std::size_t kServiceReplyBytesMax = 8192;

class ServiceReply {
 public:
  enum class State : std::uint8_t { kIncomplete, kComplete, kNoReply, kTooLong };

  // Ignores bytes after a complete reply; any state but kIncomplete is final.
  State take(std::string_view bytes);

  // REQUIRES: complete.
  int code() const { return code_; }
  // The first line as received so far, without its line end.
  std::string_view first_line() const;

 private:
  State read_lines();

  std::string bytes_;
  std::size_t line_begin_ = 0;
  int code_ = 0;
  State state_ = State::kIncomplete;
};

}  // namespace hyperscale::app
