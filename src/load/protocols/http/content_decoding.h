// Decodes Content-Encoding: gzip, deflate, br and zstd, also several in a row, with a bound on the output.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::load {

// Accept-Encoding that --compressed sends: all codings of decode_content().
inline constexpr std::string_view kAcceptedEncodings = "gzip, deflate, br, zstd";
inline constexpr std::size_t kEncodingsMax = 4;  // in a row

// Whether `encoding` (the value of the header, any case) names at least one coding, and only known ones.
bool is_decodable(std::string_view encoding);

// Empty when is_decodable() is false, or the bytes are not of that coding. Output beyond `bytes_max` of any of the
// codings is cut; truncated input is decoded as far as it goes.
std::optional<std::string> decode_content(std::string_view body, std::string_view encoding, std::size_t bytes_max);

}  // namespace hyperscale::load
