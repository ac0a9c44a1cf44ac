// KeptBodies: accounts for the bytes of answers that an executor keeps for functions and expectations, over all its
// users.
//
// A target decides how large its answers are, so the sum has a bound: an answer beyond it ends as `body_limit`, and the
// executor continues. Single-threaded.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace hyperscale::load {

inline constexpr std::size_t kKeptBodyBytesMax = std::size_t{16} << 20;     // of one answer; more is cut
inline constexpr std::size_t kKeptBodiesBytesMax = std::size_t{256} << 20;  // of one executor
inline constexpr std::string_view kNoRoomForBody =
    "there was no room for its body: an executor keeps at most 256 MiB of them at once";

class KeptBodies {
 public:
  explicit KeptBodies(std::size_t bytes_max = kKeptBodiesBytesMax) : bytes_max_(bytes_max) {}

  // False: the bytes do not fit, and none were taken.
  bool take(std::size_t bytes) {
    if (bytes > bytes_max_ - bytes_) return false;
    bytes_ += bytes;
    return true;
  }
  void give_back(std::size_t bytes) { bytes_ -= bytes; }
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_max() const { return bytes_max_; }

  // Takes bytes for as long as the result or a copy of it lives. Null: they do not fit.
  static std::shared_ptr<const void> share(const std::shared_ptr<KeptBodies>& bodies, std::size_t bytes) {
    if (!bodies->take(bytes)) return nullptr;
    return std::make_shared<const Share>(bodies, bytes);
  }

 private:
  struct Share {
    Share(std::shared_ptr<KeptBodies> of, std::size_t count) : bodies(std::move(of)), bytes(count) {}
    ~Share() { bodies->give_back(bytes); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    std::shared_ptr<KeptBodies> bodies;
    std::size_t bytes;
  };

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

}  // namespace hyperscale::load
