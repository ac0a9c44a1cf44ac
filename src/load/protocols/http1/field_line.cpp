#include "load/protocols/http1/field_line.h"

namespace hyperscale::load {

const char* fault_of_field_line(std::string_view line, std::size_t length) {
  if (is_space(line.front())) return "white space before the first field";
  if (line.find(':') == std::string_view::npos) return "a field line without a colon";
  if (line.front() == ':') return "a field without a name";
  const std::size_t after_space = line.find_first_not_of(" \t", length);
  if (after_space != length && after_space != std::string_view::npos && line[after_space] == ':') {
    return "white space between a field name and its colon";
  }
  return "a field name with a character that may not be in it";
}

}  // namespace hyperscale::load
