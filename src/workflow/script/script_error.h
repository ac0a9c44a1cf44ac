// ScriptError: what went wrong in a user's file, with the place to look at. Plain values; any thread.
//
// `line` and `column` count from 1 in the file as the user wrote it; 0 means that the place is not known.
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

// Why a script was stopped. Everything but kThrown ended the whole resume.
enum class ScriptFault : std::uint8_t {
  kThrown,      // an exception, a mistake in the file, or a wrong result
  kCpuLimit,    // one resume used more processor time than it may
  kHeapLimit,   // the heap of the virtual machine grew beyond its limit
  kNeverReady,  // waits for a promise that nothing is going to settle
};

struct ScriptError {
  std::string message;
  Location place;
  std::string source_line;  // the line at `place`, without its end
  std::string stack;        // one "name (file:line:column)" per line, the user's files only
  ScriptFault fault = ScriptFault::kThrown;
};

template <typename T>
using ScriptResult = tl::expected<T, ScriptError>;

tl::unexpected<ScriptError> script_fail(ScriptError error);

// "shop.js:3:7" as far as known, or "".
std::string place_text(const Location& place);

// For people:
//   shop.js:3:7: there is no option "heders"; did you mean "headers"?
//     3 |   home = step(http.get('/', { heders: {} }));
//       |                               ^
std::string format_error(const ScriptError& error);
std::string format_errors(const std::vector<ScriptError>& errors);

}  // namespace hyperscale::workflow
