#include "stream/mapped_region.h"

#include "base/errno_text.h"
#include "stream/policy/region_layout.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

std::string failed(const char* call, int error) {
  return fmt::format("shared memory: {}: {}", call, errno_text(error));
}

// A signal undoes a whole call: short calls complete between two signals.
constexpr std::uint64_t kReservedAtOnce = 1 << 20;

// Returns the error of the first call that fails; zero: all succeeded.
template <typename Call>
int reserve_in_parts(std::uint64_t offset, std::uint64_t bytes, const Call& call) {
  for (const std::uint64_t end = offset + bytes; offset < end;) {
    const std::uint64_t part = std::min(end - offset, kReservedAtOnce);
    const int error = call(static_cast<off_t>(offset), static_cast<off_t>(part));
    if (error == EINTR) continue;
    if (error != 0) return error;
    offset += part;
  }
  return 0;
}

Status make_room(int fd, const MappedRegion::Size& size) {
  const int error = reserve_in_parts(0, size.reserved,
                                     [fd](off_t offset, off_t bytes) { return ::posix_fallocate(fd, offset, bytes); });
  if (error == ENOSPC || error == ENOMEM)
    return fail(ErrorCode::kBusy, fmt::format("no room for {} bytes of shared memory", size.reserved));
  if (error != 0) return fail(ErrorCode::kInternal, failed("posix_fallocate", error));
  if (size.total > size.reserved && ::ftruncate(fd, static_cast<off_t>(size.total)) != 0)
    return fail(ErrorCode::kInternal, failed("ftruncate", errno));
  return {};
}

}  // namespace

Result<MappedRegion> MappedRegion::create(int folder, const std::string& name, const Size& size) {
  OwnedFd fd(::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) {
    const bool full = errno == ENOSPC;
    return fail(full ? ErrorCode::kBusy : ErrorCode::kInternal, failed(name.c_str(), errno));
  }
  if (Status made = make_room(fd.get(), size); !made) {
    ::unlinkat(folder, name.c_str(), 0);
    return fail(made.error());
  }
  return map(std::move(fd), size.total, Access::kWrite);
}

Result<MappedRegion> MappedRegion::anonymous(std::uint64_t bytes) {
  if (bytes > kRegionBytesMax)
    return fail(ErrorCode::kTooLarge,
                fmt::format("shared memory of {} bytes; at most {} are allowed", bytes, kRegionBytesMax));
  OwnedFd fd(::memfd_create("hyperscale", MFD_CLOEXEC));
  if (!fd.valid()) return fail(ErrorCode::kInternal, failed("memfd_create", errno));
  if (Status made = make_room(fd.get(), {.reserved = bytes, .total = bytes}); !made) return fail(made.error());
  return map(std::move(fd), bytes, Access::kWrite);
}

Result<MappedRegion> MappedRegion::map(OwnedFd fd, std::uint64_t bytes, Access access) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return fail(ErrorCode::kInvalidArgument, failed("fstat", errno));
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kInvalidArgument, "shared memory: not a regular file");
  if (static_cast<std::uint64_t>(info.st_size) < bytes)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("shared memory has {} bytes, {} are needed", info.st_size, bytes));
  const int rights = access == Access::kWrite ? PROT_READ | PROT_WRITE : PROT_READ;
  void* data = ::mmap(nullptr, bytes, rights, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) return fail(ErrorCode::kInternal, failed("mmap", errno));
  MappedRegion region;
  region.fd_ = std::move(fd);
  region.data_ = data;
  region.size_ = bytes;
  region.guard_ = TruncationGuard(data, bytes);
  return region;
}

MappedRegion& MappedRegion::operator=(MappedRegion&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(guard_, other.guard_);
  return *this;
}

MappedRegion::~MappedRegion() {
  guard_ = TruncationGuard();  // before other memory may be there
  if (data_ != nullptr) ::munmap(data_, size_);
}

bool MappedRegion::reserve(std::uint64_t offset, std::uint64_t bytes) const {
  return reserve_in_parts(offset, bytes, [fd = fd_.get()](off_t from, off_t part) {
           // Keeps the size: a truncated file must stay short, so that the truncation is detected.
           return ::fallocate(fd, FALLOC_FL_KEEP_SIZE, from, part) == 0 ? 0 : errno;
         }) == 0;
}

std::uint64_t free_bytes_of(int folder) {
  struct statvfs info{};
  return ::fstatvfs(folder, &info) == 0 ? std::uint64_t{info.f_bavail} * info.f_frsize : 0;
}

}  // namespace hyperscale::stream
