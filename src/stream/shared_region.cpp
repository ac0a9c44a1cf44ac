#include "stream/shared_region.h"

#include "base/errno_text.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

std::string failed(const char* call, int error) {
  return fmt::format("shared memory: {}: {}", call, errno_text(error));
}

}  // namespace

Result<SharedRegion> SharedRegion::create(std::size_t size_bytes) {
  if (size_bytes > kRegionBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("shared memory of {} bytes; at most {} are allowed", size_bytes, kRegionBytesMax));
  }
  const std::size_t free_bytes =
      static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (size_bytes > free_bytes)
    return fail(ErrorCode::kBusy, fmt::format("shared memory of {} bytes; only {} are free", size_bytes, free_bytes));
  const int fd = ::memfd_create("hyperscale", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return fail(ErrorCode::kInternal, failed("memfd_create", errno));
  if (const int error = ::posix_fallocate(fd, 0, static_cast<off_t>(size_bytes)); error != 0) {
    ::close(fd);
    return fail(ErrorCode::kBusy, failed(fmt::format("no room for {} bytes", size_bytes).c_str(), error));
  }
  ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return open(fd, size_bytes);
}

Result<SharedRegion> SharedRegion::open(int fd, std::size_t size_bytes) {
  SharedRegion region;
  region.fd_ = fd;
  struct stat info{};
  if (::fstat(fd, &info) != 0) return fail(ErrorCode::kInvalidArgument, failed("fstat", errno));
  if (static_cast<std::size_t>(info.st_size) < size_bytes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("shared memory has {} bytes, {} are needed", info.st_size, size_bytes));
  }
  void* data = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) return fail(ErrorCode::kInternal, failed("mmap", errno));
  region.data_ = data;
  region.size_ = size_bytes;
  return region;
}

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedRegion::~SharedRegion() {
  if (data_ != nullptr) ::munmap(data_, size_);
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace hyperscale::stream
