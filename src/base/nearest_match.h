// "Did you mean ...?": the candidate that a mistyped word most likely stands for.
//
// Pure function, safe on any thread. The distance is Damerau-Levenshtein (insert, delete, replace, swap of neighbours),
// ignoring ASCII case. A candidate counts only within one edit per three characters of the longer of both words, at
// least one edit, so that a very different word gets no suggestion. Of equally near candidates the first one wins.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hyperscale {

// Longer words are never matched: names are short, and the cost grows with the product of both lengths.
inline constexpr std::size_t kMatchLengthMax = 64;

std::optional<std::string> nearest_match(std::string_view word, std::span<const std::string> candidates);

}  // namespace hyperscale
