// LiveLine: a moment of a run as one line of JSON, and the function that returns it. Plain value.
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
