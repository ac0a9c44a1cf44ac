// Key: a pressed key. Plain value.
#pragma once

#include <cstdint>

namespace hyperscale::tui {

enum class KeyKind : std::uint8_t {
  kCharacter,
  kLeft,
  kRight,
  kUp,
  kDown,
  kTab,
  kBackTab,
  kEscape,
  kEnter,
  kInterrupt
};

struct Key {
  KeyKind kind = KeyKind::kCharacter;
  char32_t character = 0;  // of kCharacter

  static Key of(char32_t character) { return {KeyKind::kCharacter, character}; }
  bool operator==(const Key&) const = default;
};

}  // namespace hyperscale::tui
