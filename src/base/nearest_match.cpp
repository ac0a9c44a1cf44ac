#include "base/nearest_match.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace hyperscale {
namespace {

constexpr std::size_t kCharactersPerEdit = 3;

std::uint8_t folded(char c) {
  return static_cast<std::uint8_t>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

// Damerau-Levenshtein with adjacent transpositions (Lowrance and Wagner). Row and column 0 of the table stand before
// the empty prefix and hold a distance that no edit script reaches.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kMatchLengthMax + 2>, kMatchLengthMax + 2> table;
  std::array<std::size_t, 256> last_row_of{};
  const std::size_t unreachable = a.size() + b.size() + 1;
  table[0].fill(unreachable);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    table[i + 1][0] = unreachable;
    table[i + 1][1] = i;
  }
  std::iota(table[1].begin() + 1, table[1].begin() + static_cast<std::ptrdiff_t>(b.size()) + 2, std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t last_equal_column = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t swap_row = last_row_of[folded(b[j - 1])];
      const std::size_t swap_column = last_equal_column;
      const bool equal = folded(a[i - 1]) == folded(b[j - 1]);
      if (equal) last_equal_column = j;
      const std::size_t swap = table[swap_row][swap_column] + (i - swap_row - 1) + 1 + (j - swap_column - 1);
      table[i + 1][j + 1] = std::min({table[i][j] + (equal ? 0 : 1), table[i + 1][j] + 1, table[i][j + 1] + 1, swap});
    }
    last_row_of[folded(a[i - 1])] = i;
  }
  return table[a.size() + 1][b.size() + 1];
}

}  // namespace

std::optional<std::string> nearest_match(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kMatchLengthMax) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kMatchLengthMax) continue;
    const std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / kCharactersPerEdit);
    const std::size_t distance = edit_distance(word, candidate);
    if (distance > allowed || (best != nullptr && distance >= best_distance)) continue;
    best = &candidate;
    best_distance = distance;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace hyperscale
