// Undoing Content-Encoding: gzip and deflate, with a bound on what comes out. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::load {

// Nothing when `encoding` is neither gzip nor deflate, or the bytes are not of it. What would be longer than
// `bytes_max` is cut there; what ends too early is kept as far as it goes.
std::optional<std::string> decode_content(std::string_view body, std::string_view encoding, std::size_t bytes_max);

}  // namespace hyperscale::load
