// SectionReader: reads the keys of one section of a scenario file one by one and checks their types. Keys left at the
// end were misspelt.
//
// Single-threaded; appends errors with file and line to the given list.
#pragma once

#include "base/time.h"
#include "runtime/config/toml_document.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::sim {

class ScenarioErrors {
 public:
  explicit ScenarioErrors(std::string_view file) : file_(file) {}
  void add(std::uint32_t line, std::string_view message);
  std::vector<std::string> take();

 private:
  using Located = std::pair<std::uint32_t, std::string>;

  std::string file_;
  std::vector<Located> errors_;  // in the order of their lines
};

class SectionReader {
 public:
  SectionReader(std::string name, std::uint32_t line, ScenarioErrors& errors)
      : name_(std::move(name)), line_(line), errors_(&errors) {}

  void put(std::string key, runtime::TomlEntry entry) { entries_.emplace(std::move(key), std::move(entry)); }
  std::uint32_t line() const { return line_; }
  // The line of the key, or of the section if the key is missing.
  std::uint32_t line_of(std::string_view key) const;

  // Each returns false and keeps `to` if the key is absent or invalid; an invalid one is an error.
  bool text(std::string_view key, std::string& to);
  bool duration(std::string_view key, Duration& to);  // may begin with "-"
  bool number(std::string_view key, double& to);
  bool count(std::string_view key, std::uint32_t max, std::uint32_t& to);
  bool share(std::string_view key, double& to);  // 0 to 1
  // All keys; their values must be numbers.
  std::map<std::string, std::int64_t> all_numbers();

  void must_have(std::string_view key);
  // Reports every key that was not read as an error.
  void finish();
  void error(std::string_view key, std::string_view message) { errors_->add(line_of(key), message); }

 private:
  const runtime::TomlEntry* find(std::string_view key);
  bool wrong(std::string_view key, std::string_view wanted, const runtime::TomlEntry& entry);

  std::string name_;
  std::uint32_t line_;
  ScenarioErrors* errors_;
  std::map<std::string, runtime::TomlEntry, std::less<>> entries_;
  std::vector<std::string> asked_;
};

}  // namespace hyperscale::sim
