// FieldWriter and FieldReader: one description of a record serves for writing and for reading it.
//
//   template <typename Fields>
//   void describe(Fields& fields, typename Fields::template Ref<Failure> failure) {
//     fields.text("failure message", failure.message, kFailureMessageBytesMax);
//   }
//
// Each field has a name for messages and a limit. Both sides check it against the limit; the first failure is kept in
// status(), and everything after it is skipped. Numbers are varints, signed ones in zigzag form; texts, lists, maps and
// histograms begin with their length; a double is its 8 IEEE bytes, low byte first, and must be finite, and zero has no
// sign: equal values have equal bytes. A reader allocates only for bytes that are present.
//
// Plain values; one thread at a time.
#pragma once

#include "base/bytes.h"
#include "base/endian.h"
#include "base/histogram/histogram_codec.h"
#include "base/result.h"
#include "base/time.h"
#include "base/varint.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale {

// What both sides share: the first failure.
class FieldStatus {
 public:
  const Status& status() const { return status_; }
  bool failed() const { return !status_.has_value(); }

 protected:
  explicit FieldStatus(ErrorCode code) : code_(code) {}

  void refuse(std::string_view field, std::string_view why) {
    if (!failed()) status_ = fail(code_, fmt::format("{}: {}", field, why));
  }
  // Whether a number is within its limit.
  bool within(std::string_view field, std::uint64_t value, std::uint64_t most) {
    if (value > most) refuse(field, fmt::format("{} is more than {}", value, most));
    return !failed();
  }

 private:
  ErrorCode code_;
  Status status_;
};

// Of one encoded histogram: 33,000 buckets of at most 9 bytes.
inline constexpr std::size_t kHistogramFieldBytesMax = 512 * 1024;

class FieldWriter : public FieldStatus {
 public:
  static constexpr bool kReads = false;
  template <typename T>
  using Ref = const T&;

  explicit FieldWriter(std::vector<std::uint8_t>& to) : FieldStatus(ErrorCode::kInvalidArgument), to_(to) {}

  template <std::unsigned_integral Number>
  void number(std::string_view field, const Number& value, std::uint64_t most) {
    if (within(field, value, most)) append_varint(to_, value);
  }
  void flag(std::string_view field, const bool& value) { number(field, static_cast<std::uint8_t>(value), 1); }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void choice(std::string_view field, const Enum& value, Enum last) {
    number(field, static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(last));
  }
  void signed_number(std::string_view field, const std::int64_t& value) {
    number(field, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63), UINT64_MAX);
  }
  void duration(std::string_view field, const Duration& value) { signed_number(field, value.count()); }
  // One that cannot be negative.
  void duration(std::string_view field, const Duration& value, Duration most) {
    if (value < Duration::zero()) refuse(field, "is below zero");
    number(field, static_cast<std::uint64_t>(value.count()), static_cast<std::uint64_t>(most.count()));
  }
  void real(std::string_view field, const double& value, double most) { real(field, value, 0, most); }
  void real(std::string_view field, const double& value, double least, double most) {
    if (!(value >= least && value <= most)) refuse(field, fmt::format("{} is not from {} to {}", value, least, most));
    if (failed()) return;
    to_.resize(to_.size() + sizeof(std::uint64_t));
    store_le64(to_.data() + to_.size() - sizeof(std::uint64_t), std::bit_cast<std::uint64_t>(value + 0.0));
  }
  void text(std::string_view field, const std::string& value, std::size_t bytes_most) {
    if (value.size() > bytes_most) refuse(field, fmt::format("{} bytes are more than {}", value.size(), bytes_most));
    if (failed()) return;
    append_varint(to_, value.size());
    to_.insert(to_.end(), value.begin(), value.end());
  }
  template <typename Item, typename Describe>
  void list(std::string_view field, const std::vector<Item>& items, std::size_t most, const Describe& describe) {
    if (!within(field, items.size(), most)) return;
    append_varint(to_, items.size());
    for (const Item& item : items) describe(item);
  }
  template <typename Key, typename Value, typename Describe>
  void map(std::string_view field, const std::map<Key, Value>& items, std::size_t most, const Describe& describe) {
    if (!within(field, items.size(), most)) return;
    append_varint(to_, items.size());
    for (const auto& [key, value] : items) describe(key, value);
  }
  void histogram(std::string_view, const SparseHistogram& value) {
    const std::vector<std::uint8_t> bytes = HistogramCodec::encode(value);
    if (failed()) return;
    append_varint(to_, bytes.size());
    to_.insert(to_.end(), bytes.begin(), bytes.end());
  }

 private:
  std::vector<std::uint8_t>& to_;
};

class FieldReader : public FieldStatus {
 public:
  static constexpr bool kReads = true;
  template <typename T>
  using Ref = T&;

  explicit FieldReader(ByteView from) : FieldStatus(ErrorCode::kProtocol), left_(from) {}

  // Fails when bytes are left over.
  void end() {
    if (!left_.empty()) refuse("end", fmt::format("{} bytes too many", left_.size()));
  }

  template <std::unsigned_integral Number>
  void number(std::string_view field, Number& value, std::uint64_t most) {
    const std::uint64_t found = varint(field);
    if (within(field, found, std::min<std::uint64_t>(most, Number(-1)))) value = static_cast<Number>(found);
  }
  void flag(std::string_view field, bool& value) {
    std::uint8_t found = 0;
    number(field, found, 1);
    value = found == 1;
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void choice(std::string_view field, Enum& value, Enum last) {
    std::uint8_t found = 0;
    number(field, found, static_cast<std::uint8_t>(last));
    value = static_cast<Enum>(found);
  }
  void signed_number(std::string_view field, std::int64_t& value) {
    std::uint64_t found = 0;
    number(field, found, UINT64_MAX);
    value = static_cast<std::int64_t>(found >> 1 ^ (0 - (found & 1)));
  }
  std::int32_t narrow(std::string_view field, std::int64_t value) {
    if (value < INT32_MIN || value > INT32_MAX) refuse(field, "beyond 32 bits");
    return static_cast<std::int32_t>(value);
  }
  void duration(std::string_view field, Duration& value) {
    std::int64_t found = 0;
    signed_number(field, found);
    value = Duration(found);
  }
  void duration(std::string_view field, Duration& value, Duration most) {
    std::uint64_t found = 0;
    number(field, found, static_cast<std::uint64_t>(most.count()));
    value = Duration(static_cast<std::int64_t>(found));
  }
  void real(std::string_view field, double& value, double most) { real(field, value, 0, most); }
  void real(std::string_view field, double& value, double least, double most) {
    const ByteView bytes = take(field, sizeof(std::uint64_t));
    if (failed()) return;
    const auto found = std::bit_cast<double>(load_le64(bytes.data()));
    const bool signed_zero = found == 0 && std::signbit(found);
    if (!(found >= least && found <= most) || signed_zero) return refuse(field, "not a number within its limit");
    value = found;
  }
  void text(std::string_view field, std::string& value, std::size_t bytes_most) {
    const ByteView bytes = take(field, length(field, bytes_most));
    if (!failed()) value.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  template <typename Item, typename Describe>
  void list(std::string_view field, std::vector<Item>& items, std::size_t most, const Describe& describe) {
    items.clear();
    const std::size_t count = length(field, most);
    while (!failed() && items.size() < count) describe(items.emplace_back());
  }
  // Keys ascend, so that a map has one form only.
  template <typename Key, typename Value, typename Describe>
  void map(std::string_view field, std::map<Key, Value>& items, std::size_t most, const Describe& describe) {
    items.clear();
    const std::size_t count = length(field, most);
    while (!failed() && items.size() < count) {
      Key key{};
      Value value{};
      describe(key, value);
      if (!items.empty() && !(items.rbegin()->first < key)) refuse(field, "keys out of order");
      items.emplace_hint(items.end(), std::move(key), std::move(value));
    }
  }
  void histogram(std::string_view field, SparseHistogram& value) {
    const ByteView bytes = take(field, length(field, kHistogramFieldBytesMax));
    if (failed()) return;
    Result<SparseHistogram> found = HistogramCodec::decode(bytes);
    if (!found) return refuse(field, found.error().context);
    value = std::move(*found);
  }

 private:
  // Consumes only the number's own bytes.
  std::uint64_t varint(std::string_view field) {
    if (failed()) return 0;
    std::size_t size = 0;
    while (size < left_.size() && (left_[size] & 0x80) != 0) ++size;
    VarintReader reader(left_.first(std::min(size + 1, left_.size())));
    const auto value = reader.next();
    if (!value) {
      refuse(field, "cut short, or not a number");
      return 0;
    }
    left_ = left_.subspan(size + 1);
    return *value;
  }
  std::size_t length(std::string_view field, std::size_t most) {
    const std::uint64_t found = varint(field);
    return within(field, found, most) ? static_cast<std::size_t>(found) : 0;
  }
  ByteView take(std::string_view field, std::size_t count) {
    if (count > left_.size()) refuse(field, fmt::format("{} bytes, only {} are left", count, left_.size()));
    if (failed()) return {};
    const ByteView taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  ByteView left_;
};

}  // namespace hyperscale
