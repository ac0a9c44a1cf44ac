// Seqlock: a small value that one thread writes and many read, without the readers ever slowing the writer down.
//
// Thread rule: store() from one thread at a time; load() and try_load() from any thread. A reader that overlaps a write
// retries, so load() is for values that change less often than a copy takes.
// Invariant: a returned value is one that store() was given (or the initial one), never a mixture.
//
// The value lives in atomic words: a torn read is discarded, not undefined. The words are stored with release and
// loaded with acquire: a reader that sees one word of a write then also sees the odd sequence number that announced it.
// This replaces the two fences of the textbook version.
#pragma once

#include "concurrent/atomics_policy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hyperscale::concurrent {

template <typename T, typename Sync = StdSync>
class Seqlock {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  Seqlock() : Seqlock(T{}) {}
  explicit Seqlock(const T& initial) {
    const Words words = to_words(initial);
    for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_relaxed);
  }
  Seqlock(const Seqlock&) = delete;
  Seqlock& operator=(const Seqlock&) = delete;

  void store(const T& value) {
    const Words words = to_words(value);
    const std::uint64_t sequence = sequence_.load(std::memory_order_relaxed);
    sequence_.store(sequence + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], Sync::kRelease);
    sequence_.store(sequence + 2, Sync::kRelease);
  }

  // False, and out untouched, if a write overlapped.
  bool try_load(T& out) const {
    const std::uint64_t before = sequence_.load(Sync::kAcquire);
    if (before % 2 != 0) return false;
    Words words;
    for (std::size_t i = 0; i < kWords; ++i) words[i] = words_[i].load(Sync::kAcquire);
    if (sequence_.load(std::memory_order_relaxed) != before) return false;
    std::memcpy(&out, words.data(), sizeof(T));
    return true;
  }

  T load() const {
    T value;
    while (!try_load(value)) {
    }
    return value;
  }

 private:
  static constexpr std::size_t kWords = (sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
  using Words = std::array<std::uint64_t, kWords>;

  static Words to_words(const T& value) {
    Words words{};
    std::memcpy(words.data(), &value, sizeof(T));
    return words;
  }

  alignas(kCacheLineBytes) typename Sync::template atomic<std::uint64_t> sequence_{0};  // odd during a write
  std::array<typename Sync::template atomic<std::uint64_t>, kWords> words_;
};

}  // namespace hyperscale::concurrent
