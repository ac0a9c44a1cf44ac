#include "tui/key_decoder.h"

#include "base/utf8.h"

#include <optional>

namespace hyperscale::tui {
namespace {

constexpr char kEscape = '\x1b';

// End of "ESC [ ... x" or "ESC O x"; 0 while it is incomplete.
std::size_t sequence_length(std::string_view bytes) {
  if (bytes[1] == 'O') return bytes.size() > 2 ? 3 : 0;
  for (std::size_t i = 2; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte >= 0x40 && byte <= 0x7e) return i + 1;
    // A byte that is not allowed in a sequence ends it and is parsed again.
    if (byte < 0x20 || byte > 0x7e) return i;
  }
  return 0;
}

std::optional<KeyKind> key_of_final(char final) {
  switch (final) {
    case 'A':
      return KeyKind::kUp;
    case 'B':
      return KeyKind::kDown;
    case 'C':
      return KeyKind::kRight;
    case 'D':
      return KeyKind::kLeft;
    case 'Z':
      return KeyKind::kBackTab;
    default:
      return std::nullopt;
  }
}

std::optional<Key> key_of_byte(unsigned char byte) {
  switch (byte) {
    case 0x03:
      return Key{KeyKind::kInterrupt};
    case '\t':
      return Key{KeyKind::kTab};
    case '\r':
    case '\n':
      return Key{KeyKind::kEnter};
    default:
      return byte < 0x20 || byte == 0x7f ? std::nullopt : std::optional(Key::of(byte));
  }
}

bool may_be_incomplete(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  if (bytes.size() >= length) return false;
  for (const char c : bytes.substr(1)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return false;
  }
  return lead < 0xf5;
}

}  // namespace

std::size_t KeyDecoder::take_escape(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] != '[' && bytes[1] != 'O') {
    // Alt combinations have no meaning here; of two escapes the first was pressed alone.
    if (bytes[1] == kEscape) keys.push_back({KeyKind::kEscape});
    return bytes[1] == kEscape ? 1 : 2;
  }
  const std::size_t length = sequence_length(bytes);
  if (length == 0) return bytes.size() > kSequenceBytesMax ? bytes.size() : 0;
  if (const auto kind = key_of_final(bytes[length - 1])) keys.push_back({*kind});
  return length;
}

std::size_t KeyDecoder::take_one(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes[0] == kEscape) return take_escape(bytes, keys);
  const auto byte = static_cast<unsigned char>(bytes[0]);
  if (byte < 0x80) {
    if (const auto key = key_of_byte(byte)) keys.push_back(*key);
    return 1;
  }
  const Utf8Char character = first_char(bytes);
  if (!character.valid) return may_be_incomplete(bytes) ? 0 : 1;
  if (!is_invisible(character.code)) keys.push_back(Key::of(character.code));
  return character.bytes;
}

std::vector<Key> KeyDecoder::feed(std::string_view bytes) {
  std::vector<Key> keys;
  held_ += bytes;
  std::string_view rest = held_;
  while (!rest.empty()) {
    const std::size_t taken = take_one(rest, keys);
    if (taken == 0) break;
    rest.remove_prefix(taken);
  }
  held_ = std::string(rest);
  return keys;
}

std::vector<Key> KeyDecoder::flush() {
  std::vector<Key> keys;
  if (held_ == std::string_view(&kEscape, 1)) keys.push_back({KeyKind::kEscape});
  held_.clear();
  return keys;
}

}  // namespace hyperscale::tui
