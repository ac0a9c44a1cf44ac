#include "plan/arguments/mime_part.h"

#include "base/crc32c.h"
#include "plan/arguments/auth.h"
#include "plan/ascii.h"
#include "plan/percent.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::string_view kBase64Header = "Content-Transfer-Encoding: base64\r\n";

std::string with_crlf(std::string_view text) {
  std::string lines;
  lines.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r' || text[at] == '\n') {
      if (text.substr(at, 2) == "\r\n") ++at;
      lines += "\r\n";
    } else {
      lines += text[at];
    }
  }
  return lines;
}

// A plain name in quotes; any other in the percent form of RFC 2231 4.
std::string parameter(std::string_view name, std::string_view value) {
  const bool plain = std::ranges::all_of(value, [](char c) { return is_visible(c) || c == ' '; }) &&
                     value.find_first_of("\"\\") == std::string_view::npos;
  return plain ? fmt::format("{}=\"{}\"", name, value) : fmt::format("{}*=UTF-8''{}", name, percent_encode(value));
}

// A base64 body cannot contain the boundary, so a retry is rare: it needs a file whose name contains the first one.
std::string boundary_for(const std::vector<MimePart>& parts) {
  std::uint32_t sum = 0;
  const auto add = [&sum](const std::string& text) {
    sum = crc32c(ByteView(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), sum);
  };
  for (const MimePart& part : parts) {
    add(part.headers);
    add(part.body);
  }
  for (std::size_t attempt = 0;; ++attempt) {
    std::string boundary = fmt::format("=_{:08x}_{}", sum, attempt);
    const bool taken = std::ranges::any_of(parts, [&](const MimePart& part) {
      return part.headers.find(boundary) != std::string::npos || part.body.find(boundary) != std::string::npos;
    });
    if (!taken) return boundary;
  }
}

}  // namespace

std::string base64_lines(std::string_view bytes) {
  constexpr std::size_t kBytesOfLine = 57;  // 76 columns, RFC 2045 6.8
  std::string lines;
  lines.reserve((bytes.size() / kBytesOfLine + 1) * 78);
  for (std::size_t at = 0; at < bytes.size(); at += kBytesOfLine) {
    lines.append(base64(bytes.substr(at, kBytesOfLine))).append("\r\n");
  }
  return lines;
}

MimePart text_part(std::string_view type, std::string_view text) {
  return {.headers = fmt::format("Content-Type: text/{}; charset=utf-8\r\n{}", type, kBase64Header),
          .body = base64_lines(with_crlf(text))};
}

MimePart attachment_part(const PreparedFile& file) {
  return {.headers = fmt::format("Content-Type: {}\r\n{}Content-Disposition: attachment;\r\n {}\r\n", file.media_type,
                                 kBase64Header, parameter("filename", file.name)),
          .body = base64_lines(file.content)};
}

MimePart multipart(std::string_view type, const std::vector<MimePart>& parts) {
  const std::string boundary = boundary_for(parts);
  MimePart whole{.headers = fmt::format("Content-Type: multipart/{};\r\n boundary=\"{}\"\r\n", type, boundary),
                 .body = {}};
  for (const MimePart& part : parts) {
    whole.body.append("--").append(boundary).append("\r\n");
    whole.body.append(part.headers).append("\r\n").append(part.body).append("\r\n");
  }
  whole.body.append("--").append(boundary).append("--\r\n");
  return whole;
}

}  // namespace hyperscale::plan
