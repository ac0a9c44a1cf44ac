// A check of options that are counts: digits only, within bounds. Without it a minus sign makes a huge number.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hyperscale::app {

inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](const std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            if (read.ec == std::errc() && read.ptr == end && value >= least && value <= most) return "";
            return fmt::format("\"{}\" is not a whole number from {} to {}", text, least, most);
          },
          ""};
}

}  // namespace hyperscale::app
