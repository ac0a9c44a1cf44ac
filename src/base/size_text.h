// Byte sizes as people write them: "512", "512B", "64KiB", "4MiB", "1GiB" (powers of 1024), "10MB" (powers of 1000).
//
// A size is one whole number with an optional unit: B, KiB MiB GiB TiB PiB, kB (or KB) MB GB TB PB. Pure functions,
// safe on any thread. Bad text and sizes of 2^64 or more are kInvalidArgument with a sentence that says what to write
// instead.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale {

Result<std::uint64_t> parse_size(std::string_view text);

// The largest unit that divides the size exactly, powers of 1024 before powers of 1000; parse_size gives the same value
// back: "64KiB", "10MB", "1000001".
std::string format_size(std::uint64_t size_bytes);

}  // namespace hyperscale
