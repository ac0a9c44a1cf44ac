// Tag: a name and a value given by the user, to find figures again. Plain value; any thread.
#pragma once

#include <string>

namespace hyperscale::plan {

struct Tag {
  std::string name;
  std::string value;
  bool operator==(const Tag&) const = default;
};

}  // namespace hyperscale::plan
