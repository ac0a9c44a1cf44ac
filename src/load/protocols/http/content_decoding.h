// Undoing Content-Encoding: gzip, deflate, br and zstd, also several in a row, with a bound on what comes out.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::load {

// What --compressed asks servers for: all that decode_content() undoes.
inline constexpr std::string_view kAcceptedEncodings = "gzip, deflate, br, zstd";
inline constexpr std::size_t kEncodingsMax = 4;  // in a row

// Whether `encoding` (the value of the header, any case) names at least one coding and only ones that are known.
bool is_decodable(std::string_view encoding);

// Nothing when is_decodable() says no, or the bytes are not of that coding. What would be longer than `bytes_max` after
// any of the codings is cut there; what ends too early is kept as far as it goes.
std::optional<std::string> decode_content(std::string_view body, std::string_view encoding, std::size_t bytes_max);

}  // namespace hyperscale::load
