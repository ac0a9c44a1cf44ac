// ScriptError: an error in a user's file, with its location. Plain values; any thread.
//
// `line` and `column` count from 1 in the file as the user wrote it; 0 means unknown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace hyperscale::workflow {

struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const Location&) const = default;
};

// Why a script was stopped. All except kThrown ended the whole resume.
enum class ScriptFault : std::uint8_t {
  kThrown,      // an exception, an error in the file, or a wrong result
  kCpuLimit,    // one resume exceeded its processor time
  kHeapLimit,   // the heap of the virtual machine grew beyond its limit
  kNeverReady,  // waits for a promise that can never be settled
};

struct ScriptError {
  std::string message;
  Location place;
  std::string source_line;  // the line at `place`, without its newline
  std::string stack;        // one "name (file:line:column)" per line, the user's files only
  ScriptFault fault = ScriptFault::kThrown;
};

template <typename T>
using ScriptResult = tl::expected<T, ScriptError>;

tl::unexpected<ScriptError> script_fail(ScriptError error);

// "shop.js:3:7" as far as known, or "".
std::string place_text(const Location& place);

// For display:
//   shop.js:3:7: there is no option "heders"; did you mean "headers"?
//     3 |   home = step(http.get('/', { heders: {} }));
//       |                               ^
std::string format_error(const ScriptError& error);
std::string format_errors(const std::vector<ScriptError>& errors);

}  // namespace hyperscale::workflow
