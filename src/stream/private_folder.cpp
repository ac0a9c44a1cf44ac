#include "stream/private_folder.h"

#include "base/errno_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

tl::unexpected<Error> cannot_open(const std::string& name, int error) {
  if (error == ENOENT) return fail(ErrorCode::kNotFound, fmt::format("{} does not exist", name));
  if (error == ELOOP || error == ENOTDIR) return fail(ErrorCode::kUnauthorized, fmt::format("{} is no folder", name));
  const bool denied = error == EACCES || error == EPERM;
  return fail(denied ? ErrorCode::kUnauthorized : ErrorCode::kUnavailable,
              fmt::format("{}: {}", name, errno_text(error)));
}

// Names the owner if the entry belongs to another user: in a shared folder any user may have created it.
tl::unexpected<Error> cannot_open_in(int parent, const std::string& name, int error) {
  struct stat info{};
  const bool seen = ::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (!seen || info.st_uid == ::geteuid()) return cannot_open(name, error);
  return fail(ErrorCode::kUnauthorized, fmt::format("{} belongs to {}", name, user_name(info.st_uid)));
}

std::uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

std::string user_name(uid_t user) {
  std::array<char, 4096> texts{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(user, &entry, texts.data(), texts.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(user);
}

Result<OwnedFd> open_base_folder(const std::string& path) {
  // The base is the owner's choice: links in it are followed.
  OwnedFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return cannot_open(path, errno);
  return folder;
}

Result<OwnedFd> open_private_folder(int parent, const std::string& name) {
  OwnedFd folder(::openat(parent, name.c_str(), kOpenFolder));
  if (!folder.valid()) return cannot_open_in(parent, name, errno);
  struct stat info{};
  if (::fstat(folder.get(), &info) != 0) return cannot_open(name, errno);
  if (info.st_uid != ::geteuid())
    return fail(ErrorCode::kUnauthorized, fmt::format("{} belongs to {}", name, user_name(info.st_uid)));
  if ((info.st_mode & 0077) != 0)
    return fail(ErrorCode::kUnauthorized, name + " is open to other users; set its mode to 0700");
  return folder;
}

Result<OwnedFd> make_private_folder(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) {
    const bool full = errno == ENOSPC;
    return fail(full ? ErrorCode::kBusy : ErrorCode::kUnavailable,
                fmt::format("cannot make {}: {}", name, errno_text(errno)));
  }
  return open_private_folder(parent, name);
}

std::vector<FolderEntry> entries_of(int folder) {
  std::vector<FolderEntry> out;
  // A descriptor of its own: reading moves its position.
  OwnedFd own(::openat(folder, ".", kOpenFolder));
  DIR* stream = own.valid() ? ::fdopendir(own.get()) : nullptr;
  if (stream == nullptr) return out;
  (void)own.release();  // the stream's now
  const std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, &::closedir);
  while (const dirent* entry = ::readdir(stream)) {  // NOLINT(concurrency-mt-unsafe): the stream is this function's
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info{};
    const bool seen = ::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    out.push_back({name, seen && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid()});
  }
  std::ranges::sort(out, {}, &FolderEntry::name);
  return out;
}

std::uint64_t changed_ns(int folder) {
  // Folders have wall times: what counts is how long ago.
  struct stat info{};
  if (::fstat(folder, &info) != 0) return UINT64_MAX;
  const auto changed = static_cast<std::uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000 +
                       static_cast<std::uint64_t>(info.st_mtim.tv_nsec);
  const std::uint64_t wall = clock_ns(CLOCK_REALTIME);
  const std::uint64_t boot = clock_ns(CLOCK_BOOTTIME);
  const std::uint64_t age = wall > changed ? wall - changed : 0;
  return boot > age ? boot - age : 0;
}

}  // namespace hyperscale::stream
