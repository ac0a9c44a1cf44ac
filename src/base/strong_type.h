// Strong types for numbers and names: each id, term or epoch is a separate type.
//
//   using JobId = StrongId<struct JobIdTag>;                 // 64-bit unsigned
//   using Term = StrongId<struct TermTag, std::uint32_t>;
//   using NodeName = StrongId<struct NodeNameTag, std::string>;
//
// A StrongId is made and unwrapped explicitly only, orders and hashes as its value, and formats as its value. ByteCount
// is an amount of bytes with checked arithmetic. Plain values: no locking, safe to copy between threads.
#pragma once

#include "base/check.h"
#include "base/size_text.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hyperscale {

template <typename Tag, typename Rep = std::uint64_t>
class StrongId {
 public:
  using rep = Rep;

  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep value) : value_(std::move(value)) {}

  constexpr const Rep& value() const { return value_; }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  Rep value_{};
};

class ByteCount {
 public:
  constexpr ByteCount() = default;
  constexpr explicit ByteCount(std::uint64_t bytes) : bytes_(bytes) {}

  constexpr std::uint64_t bytes() const { return bytes_; }

  // Overflow and a difference below zero are bugs of the caller.
  constexpr ByteCount operator+(ByteCount other) const {
    CHECK(bytes_ <= UINT64_MAX - other.bytes_, "{} + {} bytes", bytes_, other.bytes_);
    return ByteCount(bytes_ + other.bytes_);
  }
  constexpr ByteCount operator-(ByteCount other) const {
    CHECK(other.bytes_ <= bytes_, "{} - {} bytes", bytes_, other.bytes_);
    return ByteCount(bytes_ - other.bytes_);
  }
  constexpr ByteCount& operator+=(ByteCount other) { return *this = *this + other; }
  constexpr ByteCount& operator-=(ByteCount other) { return *this = *this - other; }
  constexpr auto operator<=>(const ByteCount&) const = default;

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace hyperscale

template <typename Tag, typename Rep>
struct std::hash<hyperscale::StrongId<Tag, Rep>> {
  std::size_t operator()(const hyperscale::StrongId<Tag, Rep>& id) const { return std::hash<Rep>()(id.value()); }
};

template <>
struct std::hash<hyperscale::ByteCount> {
  std::size_t operator()(hyperscale::ByteCount count) const { return std::hash<std::uint64_t>()(count.bytes()); }
};

template <typename Tag, typename Rep>
struct fmt::formatter<hyperscale::StrongId<Tag, Rep>> : fmt::formatter<Rep> {
  template <typename Context>
  auto format(const hyperscale::StrongId<Tag, Rep>& id, Context& context) const {
    return fmt::formatter<Rep>::format(id.value(), context);
  }
};

// As format_size writes it: "64KiB".
template <>
struct fmt::formatter<hyperscale::ByteCount> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(hyperscale::ByteCount count, Context& context) const {
    return fmt::formatter<std::string>::format(hyperscale::format_size(count.bytes()), context);
  }
};
