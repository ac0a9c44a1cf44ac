#include "report/html_text.h"

#include "base/terminal_text.h"

#include <fmt/format.h>

namespace hyperscale::report {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : visible(text, Glyphs::kUnicode)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string element(std::string_view tag, std::string_view css_class, std::string_view text) {
  const std::string attribute = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<{0}{1}>{2}</{0}>", tag, attribute, escaped(text));
}

}  // namespace hyperscale::report
