// BodyBuffer: collects a request body up to a limit. It grows with received bytes, never by an announced length. Thread
// rule: one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hyperscale::runtime {

class BodyBuffer {
 public:
  enum class Keep : bool { kDiscard, kKeep };

  explicit BodyBuffer(std::uint64_t bytes_max, Keep keep = Keep::kKeep) : bytes_max_(bytes_max), keep_(keep) {}

  bool has_room(std::uint64_t bytes) const { return bytes <= bytes_max_ - size_; }
  // False when the body would exceed the limit; the piece is then not taken.
  [[nodiscard]] bool append(std::string_view piece) {
    if (!has_room(piece.size())) return false;
    size_ += piece.size();
    if (keep_ == Keep::kKeep) bytes_.append(piece);
    return true;
  }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes_max() const { return bytes_max_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::uint64_t bytes_max_;
  Keep keep_;
  std::uint64_t size_ = 0;
  std::string bytes_;
};

}  // namespace hyperscale::runtime
