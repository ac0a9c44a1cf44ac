// One component of a path from untrusted text: only [A-Za-z0-9._-], never ".", ".." or hidden, at most kNameBytesMax
// long; every other character becomes '_' (SHM-DRV-10). Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::stream {

inline constexpr std::size_t kNameBytesMax = 64;

inline std::string safe_name(std::string_view text) {
  std::string name(text.substr(0, kNameBytesMax));
  std::ranges::replace_if(
      name,
      [](char letter) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == '.';
        return !plain;
      },
      '_');
  if (name.empty() || name.front() == '.') name.insert(name.begin(), '_');
  if (name.size() > kNameBytesMax) name.resize(kNameBytesMax);
  return name;
}

}  // namespace hyperscale::stream
