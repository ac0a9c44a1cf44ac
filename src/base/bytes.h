// SharedBytes: a read-only view of bytes that keeps its owner alive. Payloads are passed as SharedBytes, so that
// passing one from a connection to a worker copies a pointer, never the payload. Copying, slicing and destroying are
// cheap and thread-safe.
#pragma once

#include "base/check.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale {

using ByteView = std::span<const std::uint8_t>;

class SharedBytes {
 public:
  SharedBytes() = default;

  // Takes ownership of the container; no byte is copied. Container is any contiguous container of one-byte elements.
  template <typename Container>
  static SharedBytes adopt(Container container) {
    auto owner = std::make_shared<const Container>(std::move(container));
    SharedBytes bytes;
    bytes.view_ = ByteView(reinterpret_cast<const std::uint8_t*>(owner->data()), owner->size());
    bytes.owner_ = std::move(owner);
    return bytes;
  }
  static SharedBytes copy_of(ByteView view) { return adopt(std::vector<std::uint8_t>(view.begin(), view.end())); }
  static SharedBytes copy_of(std::string_view text) { return adopt(std::string(text)); }

  // REQUIRES: offset + count <= size().
  SharedBytes slice(std::size_t offset, std::size_t count) const {
    CHECK(offset <= size() && count <= size() - offset, "{} bytes at {} of {}", count, offset, size());
    SharedBytes part;
    part.view_ = view_.subspan(offset, count);
    part.owner_ = owner_;
    return part;
  }

  ByteView view() const { return view_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(view_.data()), view_.size()}; }
  const std::uint8_t* data() const { return view_.data(); }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  // How many views share the owner; for tests that prove that nothing was copied.
  long use_count() const { return owner_.use_count(); }

 private:
  ByteView view_;
  std::shared_ptr<const void> owner_;
};

inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace hyperscale
