// Values of command-line options: text in, a value or one sentence that names the option out.
//
// Pure functions; any thread. Every failure is kInvalidArgument and starts with the option: `--vus: "ten" is not ...`.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::plan {

// A whole number in [min, max].
Result<std::uint64_t> read_count(std::string_view option, std::string_view text, std::uint64_t min, std::uint64_t max);
// "90s", "1m30s"; a bare number is taken as seconds, as other tools do.
Result<Duration> read_duration(std::string_view option, std::string_view text);
// "2000", "2000/s", "90/m", "0.5/s": per second, above zero unless `zero_allowed`.
Result<double> read_rate(std::string_view option, std::string_view text, bool zero_allowed = false);

struct NameAndValue {
  std::string name;
  std::string value;
};
// Split at the first `separator`; the name must not be empty. `example` shows how to write it.
Result<NameAndValue> read_pair(std::string_view option, std::string_view text, char separator,
                               std::string_view example);

// The failure `OPTION: sentence`.
tl::unexpected<Error> wrong_option(std::string_view option, std::string_view sentence);
// Text of a user in a message: in quotes, control characters made visible, cut when long.
std::string shown(std::string_view text);

}  // namespace hyperscale::plan
