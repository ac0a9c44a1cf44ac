// GlobPattern: a path with wildcards. "*" is any text and "?" any character inside one part of a path, "[abc]" "[a-z]"
// "[!abc]" one of several, "**" as a whole part any number of folders, "\*" the star itself.
//
// As in a shell, no wildcard stands for the dot at the start of a part: hidden files are named with their dot.
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
  // How many parts a matching path has at most; zero when there is no bound.
  std::size_t parts_max() const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace hyperscale::plan
