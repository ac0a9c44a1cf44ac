// Secret: key material that lives on its own locked pages, stays out of core dumps and is overwritten on release.
//
// A Secret can be neither copied nor printed, and its bytes cannot be read out into another object by accident: code
// that needs them gets a view for the length of one call. Tasks and channels pass a SecretHandle, never bytes; the
// pages are wiped when the last handle is gone. Thread rule: immutable after construction, so any thread may use it.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace hyperscale::runtime {

class Secret;
using SecretHandle = std::shared_ptr<const Secret>;

class Secret {
 public:
  // Copies `bytes` onto locked pages and wipes the source, so that exactly one copy is left.
  static SecretHandle take(char* bytes, std::size_t size);

  ~Secret();
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  // Compares in a time that depends only on the length of `candidate`.
  bool matches(std::string_view candidate) const;

  // Calls `use` with a view of the bytes that is valid only during the call.
  template <typename Use>
  auto with_bytes(Use&& use) const {
    return std::forward<Use>(use)(std::string_view(data_, size_));
  }

  std::size_t size() const { return size_; }
  // False where the system's limit on locked memory did not allow it; the pages are then still wiped and not dumped.
  bool locked_in_memory() const { return locked_; }

 private:
  Secret() = default;

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;
  bool locked_ = false;
};

}  // namespace hyperscale::runtime
