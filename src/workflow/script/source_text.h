// SourceText: a file as the user wrote it, and the edits by the linker. Maps locations in the linked text to the file:
// lines are the same, and columns differ by the edits on that line.
//
// Plain values; any thread. Columns count UTF-16 units in the linked text, as the engine does, and bytes in the file.
#pragma once

#include "workflow/script/script_error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::workflow {

// From `column` of `line` on, the linked text is `shift` characters to the right of the file.
struct ColumnEdit {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::int32_t shift = 0;
};

struct SourceText {
  std::string file;
  std::string text;
  std::vector<ColumnEdit> edits;  // in ascending order
};

// The sources of one program by file name.
class SourceBook {
 public:
  void add(SourceText source);
  bool has(std::string_view file) const { return sources_.find(file) != sources_.end(); }

  // Maps a location in the linked text to the file. The engine reports a call at its "(": this returns the start of the
  // called name, which is clearer for readers.
  Location in_file(std::string_view file, std::uint32_t line, std::uint32_t linked_column) const;
  std::string line_at(const Location& place) const;
  // Occurrences of a name in all texts together.
  std::size_t count_word(std::string_view name) const;

  // Parses a stack of the engine ("name@file:line:column" per line) and keeps the frames of the user's files. `top` is
  // the first of them.
  struct Stack {
    std::string text;
    std::optional<Location> top;
  };
  Stack read_stack(std::string_view engine_stack) const;

 private:
  std::map<std::string, SourceText, std::less<>> sources_;
};

}  // namespace hyperscale::workflow
