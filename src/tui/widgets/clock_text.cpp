#include "tui/widgets/clock_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::tui {

std::string clock_text(Duration duration) {
  const std::int64_t seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(duration).count());
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

}  // namespace hyperscale::tui
