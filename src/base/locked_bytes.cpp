#include "base/locked_bytes.h"

#include "base/check.h"
#include "base/errno_text.h"

#include <cerrno>

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace hyperscale {

LockedBytes::LockedBytes(std::string_view bytes) : size_(bytes.size()) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  mapped_bytes_ = (size_ / page + 1) * page;
  void* pages = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "no memory for a secret of {} bytes: {}", size_, errno_text(errno));
  locked_ = ::mlock(pages, mapped_bytes_) == 0;
  CHECK(::madvise(pages, mapped_bytes_, MADV_DONTDUMP) == 0, "madvise: {}", errno_text(errno));
  data_ = static_cast<char*>(pages);
  ::memcpy(data_, bytes.data(), size_);
}

LockedBytes::~LockedBytes() {
  ::explicit_bzero(data_, mapped_bytes_);
  ::munmap(data_, mapped_bytes_);
}

}  // namespace hyperscale
