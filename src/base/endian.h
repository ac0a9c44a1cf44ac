// Fixed byte order for formats: big-endian ("be") and little-endian ("le") loads and stores of 16, 32 and 64 bit words.
//
// Usable in constant expressions, on any alignment, safe on any thread. The caller guarantees that the bytes are there:
// a load or store touches exactly sizeof(word) bytes. Compilers turn each into one move (and a byte swap).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace hyperscale {
namespace detail {

template <std::unsigned_integral Word>
constexpr Word load_be(const std::uint8_t* from) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    word = static_cast<Word>(word | Word{from[i]} << 8 * (sizeof(Word) - 1 - i));
  return word;
}

template <std::unsigned_integral Word>
constexpr Word load_le(const std::uint8_t* from) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) word = static_cast<Word>(word | Word{from[i]} << 8 * i);
  return word;
}

template <std::unsigned_integral Word>
constexpr void store_be(std::uint8_t* to, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i) to[i] = static_cast<std::uint8_t>(word >> 8 * (sizeof(Word) - 1 - i));
}

template <std::unsigned_integral Word>
constexpr void store_le(std::uint8_t* to, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i) to[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

}  // namespace detail

constexpr std::uint16_t load_be16(const std::uint8_t* from) {
  return detail::load_be<std::uint16_t>(from);
}
constexpr std::uint32_t load_be32(const std::uint8_t* from) {
  return detail::load_be<std::uint32_t>(from);
}
constexpr std::uint64_t load_be64(const std::uint8_t* from) {
  return detail::load_be<std::uint64_t>(from);
}
constexpr std::uint16_t load_le16(const std::uint8_t* from) {
  return detail::load_le<std::uint16_t>(from);
}
constexpr std::uint32_t load_le32(const std::uint8_t* from) {
  return detail::load_le<std::uint32_t>(from);
}
constexpr std::uint64_t load_le64(const std::uint8_t* from) {
  return detail::load_le<std::uint64_t>(from);
}

constexpr void store_be16(std::uint8_t* to, std::uint16_t word) {
  detail::store_be(to, word);
}
constexpr void store_be32(std::uint8_t* to, std::uint32_t word) {
  detail::store_be(to, word);
}
constexpr void store_be64(std::uint8_t* to, std::uint64_t word) {
  detail::store_be(to, word);
}
constexpr void store_le16(std::uint8_t* to, std::uint16_t word) {
  detail::store_le(to, word);
}
constexpr void store_le32(std::uint8_t* to, std::uint32_t word) {
  detail::store_le(to, word);
}
constexpr void store_le64(std::uint8_t* to, std::uint64_t word) {
  detail::store_le(to, word);
}

}  // namespace hyperscale
