// GzipBodies: a cache of compressed filler by size: compressing costs more than the rest of a request. Single-threaded;
// each core has its own. Keeps the kKeptMax sizes that were used last and evicts the others.
#pragma once

#include <cstdint>
#include <list>
#include <string>

namespace hyperscale::target {

class GzipBodies {
 public:
  // REQUIRES: size_bytes <= kGzipBytesMax. Valid until the next call.
  const std::string& of_size(std::uint64_t size_bytes);

 private:
  static constexpr std::size_t kKeptMax = 16;
  struct Kept {
    std::uint64_t size_bytes;
    std::string compressed;
  };
  std::list<Kept> kept_;  // last used first
};

}  // namespace hyperscale::target
