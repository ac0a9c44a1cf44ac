// LiveLine: a moment of a run as text, and where it comes from. Plain value.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hyperscale::live {

struct LiveLine {
  std::uint64_t tick = 0;
  std::string json;   // see live_json.h
  bool last = false;  // the run is over
};

using LiveSource = std::function<LiveLine()>;

}  // namespace hyperscale::live
