#include "node/local/terminal_style.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace hyperscale::node {

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread sets it
    if (value == nullptr || *value == '\0') continue;
    for (const std::string_view mark : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (std::string_view(value).find(mark) != std::string_view::npos) return true;
    return false;
  }
  return true;
}

namespace {

// A terminal without a name counts as dumb.
std::string_view terminal_name() {
  const char* name = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return name == nullptr || *name == '\0' ? "dumb" : name;
}

}  // namespace

bool can_draw(int descriptor) {
  return ::isatty(descriptor) == 1 && terminal_name() != "dumb";
}

tui::Colours colours_of_terminal() {
  // NOLINTBEGIN(concurrency-mt-unsafe): no thread sets them
  const bool plain = std::getenv("NO_COLOR") != nullptr;
  const bool many = std::getenv("COLORTERM") != nullptr;
  // NOLINTEND(concurrency-mt-unsafe)
  const std::string_view name = terminal_name();
  if (plain || name == "dumb") return tui::Colours::kNone;
  return many || name.find("256color") != std::string_view::npos ? tui::Colours::k256 : tui::Colours::k16;
}

report::SummaryStyle style_of(int descriptor) {
  const bool colour = ::isatty(descriptor) == 1 && colours_of_terminal() != tui::Colours::kNone;
  report::SummaryStyle style{.colour = colour, .ascii = !utf8_locale()};
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::clamp<unsigned>(size.ws_col, report::kSummaryWidthMin, report::kSummaryWidthMax);
  }
  return style;
}

}  // namespace hyperscale::node
