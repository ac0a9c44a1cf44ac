// SHA-256 of contents: the names of files, bodies and other bytes that a fleet stores only once. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::plan {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256_of(std::string_view content);
// 64 hexadecimal digits in lower case.
std::string hex(const Sha256& hash);
// Nothing for a text that hex() does not return.
std::optional<Sha256> parse_sha256(std::string_view text);

}  // namespace hyperscale::plan
