// JsonWriter: the one way to write JSON. Fields stay in the order of the calls.
//
//   JsonWriter json;
//   json.begin_object();
//   json.field("requests", std::uint64_t{12});
//   json.key("windows"); json.begin_array(); ... json.end_array();
//   json.end_object();
//   file << json.take();
//
// Single-threaded. Numbers are locale independent; a double that is not finite is null; bytes that are not UTF-8 are
// replaced by U+FFFD. Unbalanced calls are bugs. The tidy rule json_writer names the files that may write JSON
// otherwise.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale {

class JsonWriter {
 public:
  // Of an object or array and everything in it, unless that asks for a tighter one.
  enum class Layout : std::uint8_t {
    kLines,    // two blanks of indent for people
    kInline,   // {"a": 1, "b": [2, 3]}: short values on the line they start on
    kCompact,  // {"a":1,"b":[2,3]}: answers to programs
  };

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
  void value(std::uint16_t number) { value(std::uint64_t{number}); }
  void value(std::int64_t number);
  void value(std::int32_t number) { value(std::int64_t{number}); }
  void fixed(double number, int digits);  // always so many digits behind the point
  void null();
  void number_text(std::string_view digits);  // a number that has its text already
  void verbatim(std::string_view json);       // REQUIRES: valid JSON; its layout is its own

  // Exact: a duration has at most six (nine) digits behind the point in ms (s).
  void milliseconds(Duration duration);
  void seconds(Duration duration);

  template <typename T>
  void field(std::string_view name, const T& what) {
    key(name);
    value(what);
  }

  std::string take();       // with a line feed at the end, as a file or a line of output has
  std::string take_text();  // without

 private:
  struct Level {
    Layout layout;
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

}  // namespace hyperscale
