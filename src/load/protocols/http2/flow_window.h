// Flow control (RFC 9113, section 5.2): how many body bytes may still be sent, and may still come.
#pragma once

#include "load/protocols/http2/frame.h"

namespace hyperscale::load::http2 {

// What the peer lets us send. Below zero when it made its windows smaller after bytes were sent.
class SendWindow {
 public:
  explicit SendWindow(std::int64_t bytes) : bytes_(bytes) {}
  std::int64_t bytes() const { return bytes_; }
  void take(std::size_t count) { bytes_ -= static_cast<std::int64_t>(count); }
  // False: the window would be larger than the protocol allows.
  bool add(std::int64_t change) {
    bytes_ += change;
    return bytes_ <= std::int64_t{kLargestWindow};
  }

 private:
  std::int64_t bytes_;
};

// What we let the peer send. The window is reopened when half of it is used.
class ReceiveWindow {
 public:
  explicit ReceiveWindow(std::uint32_t size) : size_(size), left_(size) {}
  // False: the peer sent more than its window.
  bool take(std::size_t count) {
    if (count > left_) return false;
    left_ -= static_cast<std::uint32_t>(count);
    return true;
  }
  // The increment to send; 0: no update yet.
  std::uint32_t reopen() {
    if (left_ > size_ / 2) return 0;
    const std::uint32_t increment = size_ - left_;
    left_ = size_;
    return increment;
  }

 private:
  std::uint32_t size_;
  std::uint32_t left_;
};

}  // namespace hyperscale::load::http2
