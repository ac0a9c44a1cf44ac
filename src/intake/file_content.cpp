#include "intake/file_content.h"

#include "base/errno_text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

tl::unexpected<Error> refused(const char* what, const std::string& path, int error) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("cannot {} {}: {}", what, path, errno_text(error)));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Devices and pipes are written in place: they cannot be replaced.
bool is_special(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

Status write_all(int fd, const std::string& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return refused("write", path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status write_in_place(const std::string& path, std::string_view content) {
  const OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid()) return refused("write", path, errno);
  return write_all(fd.get(), path, content);
}

mode_t mode_of_new_files(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0) return info.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<std::string> read_whole_file(const std::string& path, std::size_t bytes_max) {
  OwnedFd fd(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return refused("read", path, errno);
  return read_whole_descriptor(std::move(fd), path, bytes_max);
}

Result<OwnedFd> open_regular_file(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer would block.
  OwnedFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) return refused("read", path, errno);
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return refused("read", path, errno);
  if (S_ISDIR(info.st_mode)) return refused("read", path, EISDIR);
  if (!S_ISREG(info.st_mode))
    return fail(ErrorCode::kInvalidArgument, fmt::format("cannot read {}: not a regular file", path));
  return fd;
}

Result<std::string> read_whole_descriptor(OwnedFd fd, const std::string& path, std::size_t bytes_max) {
  std::string content;
  std::array<char, 64 << 10> chunk;
  ssize_t got = 0;
  while ((got = ::read(fd.get(), chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || content.size() + static_cast<std::size_t>(got) > bytes_max) break;
    content.append(chunk.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) return refused("read", path, errno);
  if (got > 0) return fail(ErrorCode::kTooLarge, fmt::format("{} is larger than {} bytes", path, bytes_max));
  return content;
}

Status check_writable(const std::string& path) {
  if (std::error_code error; std::filesystem::is_directory(path, error)) return refused("write", path, EISDIR);
  if (is_special(path)) return ::access(path.c_str(), W_OK) == 0 ? Status() : refused("write", path, errno);
  const std::string folder = folder_of(path);
  if (::access(folder.c_str(), F_OK) != 0) return refused("write", path, errno);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return refused("write into the folder of", path, errno);
  return {};
}

Status check_writable_in_place(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::is_directory(path, error)) return check_writable(path);
  return ::access(path.c_str(), W_OK) == 0 ? Status() : refused("write", path, errno);
}

Status replace_file(const std::string& path, std::string_view content) {
  if (is_special(path)) return write_in_place(path, content);
  std::string temporary = path + ".XXXXXX";
  OwnedFd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd.valid()) return refused("write", path, errno);
  ::fchmod(fd.get(), mode_of_new_files(path));
  Status written = write_all(fd.get(), path, content);
  fd.close();
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = refused("write", path, errno);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace hyperscale::intake
