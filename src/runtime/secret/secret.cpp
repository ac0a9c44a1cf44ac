#include "runtime/secret/secret.h"

#include "base/check.h"
#include "base/errno_text.h"

#include <cerrno>

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace hyperscale::runtime {

SecretHandle Secret::take(char* bytes, std::size_t size) {
  std::shared_ptr<Secret> secret(new Secret);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  secret->mapped_bytes_ = (size / page + 1) * page;
  void* pages = ::mmap(nullptr, secret->mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "no memory for a secret of {} bytes: {}", size, errno_text(errno));
  secret->locked_ = ::mlock(pages, secret->mapped_bytes_) == 0;
  CHECK(::madvise(pages, secret->mapped_bytes_, MADV_DONTDUMP) == 0, "madvise: {}", errno_text(errno));
  secret->data_ = static_cast<char*>(pages);
  secret->size_ = size;
  ::memcpy(secret->data_, bytes, size);
  ::explicit_bzero(bytes, size);
  return secret;
}

Secret::~Secret() {
  if (data_ == nullptr) return;
  ::explicit_bzero(data_, mapped_bytes_);
  ::munmap(data_, mapped_bytes_);
}

bool Secret::matches(std::string_view candidate) const {
  unsigned char difference = candidate.size() == size_ ? 0 : 1;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const char mine = size_ == 0 ? '\0' : data_[i % size_];
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(mine) ^ static_cast<unsigned char>(candidate[i])));
  }
  return difference == 0 && size_ > 0;
}

}  // namespace hyperscale::runtime
