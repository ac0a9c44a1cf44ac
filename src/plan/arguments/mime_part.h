// MIME parts: a body with its headers, and several of them as one (RFC 2045, RFC 2046 5.1).
//
// Plain value and pure functions; any thread. A boundary depends only on the parts and occurs in none of them.
#pragma once

#include "plan/arguments/file.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

struct MimePart {
  std::string headers;  // whole lines
  std::string body;     // whole lines
};

// `type` is "plain" or "html". Line ends become CRLF, as text has them in MIME.
MimePart text_part(std::string_view type, std::string_view text);
MimePart attachment_part(const PreparedFile& file);
// `type` is "alternative" or "mixed". REQUIRES: at least one part.
MimePart multipart(std::string_view type, const std::vector<MimePart>& parts);

// Base64 in lines of 76 columns.
std::string base64_lines(std::string_view bytes);

}  // namespace hyperscale::plan
