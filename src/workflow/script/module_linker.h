// Links the modules of a program: turns a file and its imports into functions that a virtual user runs once.
//
// ES modules: default, named and namespace imports, all forms of export, re-exports, live bindings, circles; JSON files
// export their value as default. Each file keeps its lines and name, so locations in errors refer to the files. Refused
// with a message: top-level await, import(), import.meta, packages.
//
// Thread rule: as Engine. Reads no file: a SourceProvider supplies the texts. Failure: returns every error in the
// files, not only the first.
#pragma once

#include "workflow/script/engine.h"
#include "workflow/script/script_error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace hyperscale::workflow {

using ScriptErrors = std::vector<ScriptError>;

class SourceProvider {
 public:
  virtual ~SourceProvider() = default;
  // The text of a file; nullopt if it does not exist. Paths are relative to the same folder as the entry's path, with
  // "." and ".." resolved where possible.
  virtual std::optional<std::string> read(const std::string& path) = 0;
};

// A key or text inside a member, for error locations.
struct SourceMark {
  std::string text;
  Location place;
};

struct ClassMember {
  std::string name;
  bool is_static = false;
  Location place;
  std::vector<SourceMark> marks;
};

struct ClassSource {
  std::string name;
  bool extends_workflow = false;
  Location place;
  std::vector<ClassMember> members;
};

struct LinkedModule {
  std::string file;
  std::string code;  // a function expression, or JSON
  bool json = false;
  std::vector<std::int32_t> uses;   // a module's index for each import in order; -1 is the built-in module
  std::vector<std::int32_t> stars;  // modules whose exports are re-exported
};

// Dependencies first; the last module is the entry.
struct LinkedProgram {
  std::vector<LinkedModule> modules;
  std::vector<ClassSource> classes;
};

// The built-in module is imported as "hyperscale"; `built_in` are its exports.
tl::expected<LinkedProgram, ScriptErrors> link_modules(Engine& engine, SourceProvider& sources,
                                                       const std::string& entry,
                                                       const std::vector<std::string>& built_in);

}  // namespace hyperscale::workflow
