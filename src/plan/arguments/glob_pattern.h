// GlobPattern: a path with wildcards. "*" is any text and "?" any character inside one part of a path, "[abc]" "[a-z]"
// "[!abc]" one of several, "**" as a whole part any number of folders, "\*" the star itself.
//
// As in a shell, no wildcard matches the dot at the start of a part: the pattern must contain it.
// Immutable; any thread. Time to match is bounded by the product of the two lengths.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kGlobBytesMax = 4096;

class GlobPattern {
 public:
  // kInvalidArgument on an empty or absolute pattern, on parts that are empty, "." or "..", on a "[" without "]", on an
  // empty or reversed range and on a "\" at the end.
  static Result<GlobPattern> parse(std::string_view pattern);
  static bool has_wildcard(std::string_view text);

  bool matches(std::string_view path) const;
  // Maximum of parts in a matching path; zero: unlimited.
  std::size_t parts_max() const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace hyperscale::plan
