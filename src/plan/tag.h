// Tag: a name and a value that a user gave to something, to find its figures again. Plain value; any thread.
#pragma once

#include <string>

namespace hyperscale::plan {

struct Tag {
  std::string name;
  std::string value;
  bool operator==(const Tag&) const = default;
};

}  // namespace hyperscale::plan
