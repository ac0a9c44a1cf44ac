// Numbers as people read them: three significant digits, a unit that fits, thousands separated by commas.
//
// Pure functions, any thread, the same text under every locale. Rounding never misleads: a part that is not zero never
// reads "0%", and a part that is not the whole never reads "100%".
#pragma once

#include "base/glyphs.h"
#include "base/time.h"

#include <cstdint>
#include <string>

namespace hyperscale {

// "0s", "850ns", "213µs", "1.24ms", "2.05s", "75.3s", "20m34s" from 1000 s on. ASCII: "213us". Negative reads as zero.
std::string latency_text(Duration latency, Glyphs glyphs = Glyphs::kUnicode);

// The same without zeros behind the point, for round values: "1ms", "1.5s".
std::string short_latency_text(Duration latency, Glyphs glyphs = Glyphs::kUnicode);

// How long something took: as latency_text below a minute, then "1m30s" and "2h05m00s".
std::string elapsed_text(Duration elapsed, Glyphs glyphs = Glyphs::kUnicode);

// "3,014,220"
std::string count_text(std::uint64_t count);

// "0/s", "0.45/s", "12.3/s", "100,330/s"; "-" for what is not a number.
std::string rate_text(double per_second);

// "512 B", "1.24 kB", "41.3 MB": powers of 1000, as network rates are given.
std::string bytes_text(std::uint64_t bytes);
std::string bytes_per_second_text(double per_second);

// "0%", "<0.01%", "0.42%", "12.3%", ">99.9%", "100%"; "-" when the whole is zero.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

// Three significant digits without exponent: "0.00123", "1.24", "124", "12,400".
std::string three_digits(double value);

}  // namespace hyperscale
