#include "stream/namespace_folder.h"

#include "base/errno_text.h"
#include "stream/epoch_folder.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"
#include "stream/safe_name.h"

#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr const char* kLockFile = "driver";
constexpr int kLockAttemptsMax = 100;
constexpr std::string_view kCleanup = "cleanup";
constexpr std::string_view kKeep = "keep";

std::string text_of(const DriverNote& note) {
  return fmt::format("{} {}\n", note.cleanup_on_exit ? kCleanup : kKeep, note.pid_namespace);
}

DriverNote read_note(int file) {
  std::array<char, 128> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  std::string_view left(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  DriverNote note;
  const std::size_t blank = left.find(' ');
  if (blank == std::string_view::npos || !left.ends_with('\n')) return note;
  note.cleanup_on_exit = left.substr(0, blank) == kCleanup;
  note.pid_namespace = left.substr(blank + 1, left.size() - blank - 2);
  return note;
}

bool is_still_there(int folder, int file) {
  struct stat held{};
  struct stat named{};
  return ::fstat(file, &held) == 0 && ::fstatat(folder, kLockFile, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

// A file that was removed between being opened and being locked locks nothing: then all over again.
Result<OwnedFd> lock(int folder, const std::string& name, int flags) {
  bool held = false;
  for (int attempt = 0; attempt < kLockAttemptsMax; ++attempt) {
    OwnedFd file(::openat(folder, kLockFile, flags | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid()) {
      const bool missing = errno == ENOENT;
      return fail(missing ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                  fmt::format("{}/{}: {}", name, kLockFile, errno_text(errno)));
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
      if (is_still_there(folder, file.get())) return file;
      continue;
    }
    held = true;
    ::sched_yield();  // somebody who only looks holds it for a moment
  }
  if (held) return fail(ErrorCode::kConflict, fmt::format("namespace {} has a driver", name));
  return fail(ErrorCode::kBusy, fmt::format("namespace {} is being removed", name));
}

Result<OwnedFd> user_folder(const std::string& base) {
  const auto root = open_base_folder(base);
  if (!root) return fail(root.error());
  return open_private_folder(root->get(), user_folder_name());
}

}  // namespace

std::string user_folder_name() {
  std::array<char, 4096> texts{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found);
  return "tensorpool-" + (found != nullptr ? safe_name(found->pw_name) : std::to_string(::geteuid()));
}

Result<NamespaceFolder> NamespaceFolder::acquire(const std::string& base, const std::string& name,
                                                 const DriverNote& note) {
  const auto root = open_base_folder(base);
  if (!root) return fail(root.error());
  NamespaceFolder out;
  out.name_ = safe_name(name);
  out.path_ = fmt::format("{}/{}/{}", base, user_folder_name(), out.name_);
  out.note_ = note;
  for (int attempt = 0; attempt < kLockAttemptsMax; ++attempt) {
    auto user = make_private_folder(root->get(), user_folder_name());
    if (!user) return fail(user.error());
    auto folder = make_private_folder(user->get(), out.name_);
    if (!folder) return fail(folder.error());
    auto lock_file = lock(folder->get(), out.name_, O_RDWR | O_CREAT);
    // The folder may have been removed under us by somebody who collects.
    if (!lock_file && lock_file.error().code == ErrorCode::kNotFound) continue;
    if (!lock_file) return fail(lock_file.error());
    const std::string text = text_of(note);
    if (::ftruncate(lock_file->get(), 0) != 0 ||
        ::pwrite(lock_file->get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      return fail(ErrorCode::kBusy, fmt::format("{}/{}: {}", out.path_, kLockFile, errno_text(errno)));
    out.user_ = std::move(*user);
    out.folder_ = std::move(*folder);
    out.lock_ = std::move(*lock_file);
    return out;
  }
  return fail(ErrorCode::kBusy, fmt::format("namespace {} is being removed", name));
}

Result<NamespaceFolder> NamespaceFolder::take_over(const std::string& base, const std::string& name) {
  auto user = user_folder(base);
  if (!user) return fail(user.error());
  auto folder = open_private_folder(user->get(), name);
  if (!folder) return fail(folder.error());
  // One that died before it had made the file left nothing else.
  auto lock_file = lock(folder->get(), name, O_RDWR | O_CREAT);
  if (!lock_file) return fail(lock_file.error());
  NamespaceFolder out;
  out.name_ = name;
  out.path_ = fmt::format("{}/{}/{}", base, user_folder_name(), name);
  out.note_ = read_note(lock_file->get());
  out.user_ = std::move(*user);
  out.folder_ = std::move(*folder);
  out.lock_ = std::move(*lock_file);
  return out;
}

Result<OwnedFd> NamespaceFolder::stream_folder(StreamNumber stream) const {
  return open_private_folder(folder_.get(), fmt::format("{}", stream));
}

Result<OwnedFd> NamespaceFolder::make_stream_folder(StreamNumber stream) const {
  return make_private_folder(folder_.get(), fmt::format("{}", stream));
}

std::vector<StreamNumber> NamespaceFolder::streams() const {
  std::vector<StreamNumber> out;
  for (const FolderEntry& entry : entries_of(folder_.get())) {
    const auto number = number_of(entry.name);
    if (number && *number <= UINT32_MAX && entry.is_own_folder) out.emplace_back(static_cast<std::uint32_t>(*number));
  }
  return out;
}

void NamespaceFolder::remove_empty_stream(StreamNumber stream) const {
  ::unlinkat(folder_.get(), fmt::format("{}", stream).c_str(), AT_REMOVEDIR);
}

void NamespaceFolder::remove_if_empty() const {
  const auto entries = entries_of(folder_.get());
  if (entries.size() != 1 || entries.front().name != kLockFile) return;
  ::unlinkat(folder_.get(), kLockFile, 0);
  ::unlinkat(user_.get(), name_.c_str(), AT_REMOVEDIR);
}

Result<std::vector<FoundNamespace>> namespaces_in(const std::string& base) {
  std::vector<FoundNamespace> out;
  const auto user = user_folder(base);
  if (!user && user.error().code == ErrorCode::kNotFound) return out;
  if (!user) return fail(user.error());
  for (const FolderEntry& entry : entries_of(user->get())) {
    const auto folder = entry.is_own_folder ? open_private_folder(user->get(), entry.name) : Result<OwnedFd>();
    if (!folder || !folder->valid()) continue;
    const OwnedFd file(::openat(folder->get(), kLockFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    FoundNamespace found{.name = entry.name};
    if (file.valid()) {
      found.note = read_note(file.get());
      found.has_driver = ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
    }
    out.push_back(std::move(found));
  }
  return out;
}

Result<OwnedFd> open_namespace(const std::string& base, const std::string& name) {
  const auto user = user_folder(base);
  if (!user) return fail(user.error());
  return open_private_folder(user->get(), name);
}

}  // namespace hyperscale::stream
