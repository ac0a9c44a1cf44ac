// Tables of the HTML report: rows, cells and the section around one. Pure functions, any thread. Text is escaped here,
// except the table of a section, which is HTML already.
#pragma once

#include "report/html_text.h"

#include <span>
#include <string>
#include <string_view>

namespace hyperscale::report {

inline std::string cell(std::string_view text, std::string_view css_class = "") {
  return element("td", css_class, text);
}
// The first column is a name, the others are numbers.
std::string head_row(std::span<const std::string_view> names);
std::string table_section(std::string_view title, std::string_view table);

}  // namespace hyperscale::report
