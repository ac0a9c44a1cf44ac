// SourceText: a file as the user wrote it, beside what the linker made of it. Places in the linked text lead back to
// places in the file: lines are the same, and columns differ by the edits on that line.
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
  std::vector<ColumnEdit> edits;  // in rising order
};

// The sources of one program by file name.
class SourceBook {
 public:
  void add(SourceText source);
  bool has(std::string_view file) const { return sources_.find(file) != sources_.end(); }

  // Where a place in the linked text is in the file. A call is reported by the engine at its "(": the start of the
  // called name is a better place for the reader.
  Location in_file(std::string_view file, std::uint32_t line, std::uint32_t linked_column) const;
  std::string line_at(const Location& place) const;
  // How often a name is in all texts together.
  std::size_t count_word(std::string_view name) const;

  // A stack as the engine writes it ("name@file:line:column" per line) with the frames of the user's files only. `top`
  // is the first of them.
  struct Stack {
    std::string text;
    std::optional<Location> top;
  };
  Stack read_stack(std::string_view engine_stack) const;

 private:
  std::map<std::string, SourceText, std::less<>> sources_;
};

}  // namespace hyperscale::workflow
