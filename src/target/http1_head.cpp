#include "target/http1_head.h"

#include "base/check.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace hyperscale::target {
namespace {

struct Reason {
  std::uint16_t status;
  std::string_view text;
};

constexpr std::array kReasons{
    Reason{200, "OK"},
    Reason{201, "Created"},
    Reason{202, "Accepted"},
    Reason{204, "No Content"},
    Reason{206, "Partial Content"},
    Reason{301, "Moved Permanently"},
    Reason{302, "Found"},
    Reason{303, "See Other"},
    Reason{304, "Not Modified"},
    Reason{307, "Temporary Redirect"},
    Reason{308, "Permanent Redirect"},
    Reason{400, "Bad Request"},
    Reason{401, "Unauthorized"},
    Reason{403, "Forbidden"},
    Reason{404, "Not Found"},
    Reason{405, "Method Not Allowed"},
    Reason{408, "Request Timeout"},
    Reason{409, "Conflict"},
    Reason{413, "Content Too Large"},
    Reason{418, "I'm a teapot"},
    Reason{429, "Too Many Requests"},
    Reason{431, "Request Header Fields Too Large"},
    Reason{500, "Internal Server Error"},
    Reason{501, "Not Implemented"},
    Reason{502, "Bad Gateway"},
    Reason{503, "Service Unavailable"},
    Reason{504, "Gateway Timeout"},
};

constexpr std::size_t kStatusFirst = 200;
constexpr std::size_t kStatusLast = 599;

// Status lines are formatted once; an answer only copies its line.
const std::string& status_line(std::uint16_t status) {
  static const auto lines = [] {
    std::array<std::string, kStatusLast - kStatusFirst + 1> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = fmt::format("HTTP/1.1 {} \r\n", kStatusFirst + i);
    for (const Reason& reason : kReasons) {
      made[reason.status - kStatusFirst] = fmt::format("HTTP/1.1 {} {}\r\n", reason.status, reason.text);
    }
    return made;
  }();
  CHECK(status >= kStatusFirst && status <= kStatusLast, "status {}", status);
  return lines[status - kStatusFirst];
}

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_http1_head(std::string& out, const Answer& answer, Http1Framing framing) {
  out += status_line(answer.status);
  for (const ExtraField& field : answer.extra) {
    out += field.name;
    out += ": ";
    out += field.value;
    out += "\r\n";
  }
  if (!framing.keep_alive) {
    out += "Connection: close\r\n";
  } else if (framing.minor_version == 0) {
    out += "Connection: keep-alive\r\n";
  }
  if (answer.may_have_body()) {
    out += "Content-Type: ";
    out += answer.content_type;
    if (framing.chunked) {
      out += "\r\nTransfer-Encoding: chunked\r\n\r\n";
      return;
    }
    out += "\r\nContent-Length: ";
    append_number(out, answer.body_bytes());
    out += "\r\n";
  }
  out += "\r\n";
}

void append_http1_refusal(std::string& out, std::uint16_t status, std::string_view why) {
  Answer answer;
  answer.status = status;
  answer.body = fmt::format("{}\n", why);
  append_http1_head(out, answer, {.keep_alive = false});
  out += answer.body;
}

}  // namespace hyperscale::target
