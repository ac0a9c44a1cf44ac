// JsonWriter: JSON text with a fixed field order, two blanks of indent, and short values kept on one line.
//
//   JsonWriter json;
//   json.begin_object();
//   json.field("requests", std::uint64_t{12});
//   json.key("windows"); json.begin_array(); ... json.end_array();
//   json.end_object();
//
// Single-threaded. Numbers are locale independent; a double that is not finite is null; text that is not UTF-8 is
// mended. Unbalanced calls are bugs.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::report {

class JsonWriter {
 public:
  // kInline: written on the line they start on, with all that is in them.
  enum class Layout : std::uint8_t { kLines, kInline };

  void begin_object(Layout layout = Layout::kLines) { open('{', layout); }
  void end_object() { close('}'); }
  void begin_array(Layout layout = Layout::kLines) { open('[', layout); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool yes);
  void value(double number);
  void value(std::uint64_t number);
  void value(std::uint32_t number) { value(std::uint64_t{number}); }
  void value(std::int32_t number);
  void null();
  void number_text(std::string_view digits);  // a number that has its text already

  // Exact: a duration has at most six (nine) digits behind the point in ms (s).
  void milliseconds(Duration duration);
  void seconds(Duration duration);

  template <typename T>
  void field(std::string_view name, const T& what) {
    key(name);
    value(what);
  }

  std::string take();

 private:
  struct Level {
    bool on_one_line;
    bool empty = true;
  };

  void open(char bracket, Layout layout);
  void close(char bracket);
  void before_item();
  void new_line();
  void raw(std::string_view text);

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace hyperscale::report
