// SystemEntropy: random bytes from the kernel, for the salts and nonces of a real network. Any thread.
#pragma once

#include "base/check.h"
#include "wire/entropy_source.h"

#include <cerrno>

#include <sys/random.h>

namespace hyperscale::node {

class SystemEntropy final : public wire::EntropySource {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      CHECK(got > 0, "the kernel gives no random bytes: errno {}", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }
};

}  // namespace hyperscale::node
