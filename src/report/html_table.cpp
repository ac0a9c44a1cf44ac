#include "report/html_table.h"

#include <fmt/format.h>

namespace hyperscale::report {

std::string head_row(std::span<const std::string_view> names) {
  std::string html = "<thead><tr>";
  for (std::size_t i = 0; i < names.size(); ++i) html += element("th", i == 0 ? "" : "n", names[i]);
  return html + "</tr></thead>\n";
}

std::string table_section(std::string_view title, std::string_view table) {
  return fmt::format("<section>\n<h2>{}</h2>\n<div class=\"sheet\"><table>\n{}</table></div>\n</section>\n",
                     escaped(title), table);
}

}  // namespace hyperscale::report
