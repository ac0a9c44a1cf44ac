#include "stream/namespace_folder.h"

#include "base/errno_text.h"
#include "stream/epoch_folder.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"
#include "stream/safe_name.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr const char* kLockFile = "driver";
constexpr int kDriverNapsMax = 2000;   // two seconds
constexpr int kCollectorNapsMax = 20;  // who holds it is likely to do the same work
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

// Counts the retries that are left, and sleeps before each.
class Patience {
 public:
  Patience(int naps, const Nap& nap) : left_(naps), nap_(nap) {}
  bool lasts() {
    if (left_ == 0) return false;
    --left_;
    nap_();
    return true;
  }

 private:
  int left_;
  const Nap& nap_;
};

// A driver locks its folder, too; collectors and readers do not. flock() locks an open file, so this opens its own.
bool has_driver(int folder) {
  const OwnedFd own(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return own.valid() && ::flock(own.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// has_driver() locks the folder for a moment, so this retries. Where folders cannot be locked a driver runs all the
// same, but is taken for a collector.
void mark_as_drivers(int folder, Patience& patience) {
  while (::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && patience.lasts()) continue;
}

Result<OwnedFd> lock(int folder, const std::string& name, Patience& patience) {
  do {
    OwnedFd file(::openat(folder, kLockFile, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid()) {
      const bool missing = errno == ENOENT;
      return fail(missing ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                  fmt::format("{}/{}: {}", name, kLockFile, errno_text(errno)));
    }
    // One that was removed between being opened and being locked locks nothing: then all over again.
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && is_still_there(folder, file.get())) return file;
    if (has_driver(folder)) return fail(ErrorCode::kConflict, fmt::format("namespace {} has a driver", name));
  } while (patience.lasts());
  return fail(ErrorCode::kBusy, fmt::format("namespace {} is held by somebody who collects", name));
}

// Another user can create that folder first; the error then names a variable that selects another folder.
Result<OwnedFd> with_way_out(const std::string& base, Result<OwnedFd> folder) {
  if (folder || folder.error().code != ErrorCode::kUnauthorized) return folder;
  return fail(ErrorCode::kUnauthorized, fmt::format("{}/{}; if that cannot be changed, set {} to another folder", base,
                                                    folder.error().context, kShmBaseDirVariable));
}

Result<OwnedFd> user_folder(const std::string& base) {
  const auto root = open_base_folder(base);
  if (!root) return fail(root.error());
  return with_way_out(base, open_private_folder(root->get(), user_folder_name()));
}

std::optional<FoundNamespace> look_at_namespace(int user, const std::string& name) {
  const auto folder = open_private_folder(user, name);
  if (!folder) return std::nullopt;
  const auto entries = entries_of(folder->get());
  const bool unused = std::ranges::all_of(entries, [](const FolderEntry& entry) { return entry.name == kLockFile; });
  FoundNamespace found{.name = name,
                       .unused_since_ns = unused ? std::optional(changed_ns(folder->get())) : std::nullopt};
  found.has_driver = has_driver(folder->get());
  const OwnedFd file(::openat(folder->get(), kLockFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.valid()) found.note = read_note(file.get());
  return found;
}

}  // namespace

void nap_a_millisecond() {
  const timespec time{.tv_sec = 0, .tv_nsec = 1'000'000};
  ::nanosleep(&time, nullptr);
}

std::string user_folder_name() {
  return "tensorpool-" + safe_name(user_name(::geteuid()));
}

Result<NamespaceFolder> NamespaceFolder::acquire(const std::string& base, const std::string& name,
                                                 const DriverNote& note, const Nap& nap) {
  const auto root = open_base_folder(base);
  if (!root) return fail(root.error());
  NamespaceFolder out;
  out.name_ = safe_name(name);
  out.path_ = fmt::format("{}/{}/{}", base, user_folder_name(), out.name_);
  out.note_ = note;
  auto user = with_way_out(base, make_private_folder(root->get(), user_folder_name()));
  if (!user) return fail(user.error());
  Patience patience(kDriverNapsMax, nap);
  do {
    auto folder = make_private_folder(user->get(), out.name_);
    auto lock_file = folder ? lock(folder->get(), out.name_, patience) : fail(folder.error());
    // A collector may have removed the folder at any moment since it was created: create it again.
    if (!lock_file && lock_file.error().code == ErrorCode::kNotFound) continue;
    if (!lock_file) return fail(lock_file.error());
    mark_as_drivers(folder->get(), patience);
    const std::string text = text_of(note);
    if (::ftruncate(lock_file->get(), 0) != 0 ||
        ::pwrite(lock_file->get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      return fail(ErrorCode::kBusy, fmt::format("{}/{}: {}", out.path_, kLockFile, errno_text(errno)));
    out.user_ = std::move(*user);
    out.folder_ = std::move(*folder);
    out.lock_ = std::move(*lock_file);
    return out;
  } while (patience.lasts());
  return fail(ErrorCode::kBusy, fmt::format("namespace {} is being removed again and again", name));
}

Result<NamespaceFolder> NamespaceFolder::take_over(const std::string& base, const std::string& name, const Nap& nap) {
  auto user = user_folder(base);
  if (!user) return fail(user.error());
  auto folder = open_private_folder(user->get(), name);
  if (!folder) return fail(folder.error());
  // One that died before it had made the file left nothing else.
  Patience patience(kCollectorNapsMax, nap);
  auto lock_file = lock(folder->get(), name, patience);
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
    auto found = entry.is_own_folder ? look_at_namespace(user->get(), entry.name) : std::nullopt;
    if (found) out.push_back(std::move(*found));
  }
  return out;
}

Result<OwnedFd> open_namespace(const std::string& base, const std::string& name) {
  const auto user = user_folder(base);
  if (!user) return fail(user.error());
  return open_private_folder(user->get(), safe_name(name));
}

}  // namespace hyperscale::stream
