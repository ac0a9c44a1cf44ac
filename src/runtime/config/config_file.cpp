#include "runtime/config/config_file.h"

#include "base/owned_fd.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

tl::unexpected<Error> cannot_read(ErrorCode code, const std::string& path, std::string_view why) {
  return fail(code, fmt::format("cannot read the configuration file {}: {}", path, why));
}

tl::unexpected<Error> system_failure(const std::string& path, int error) {
  const std::string why = std::generic_category().message(error);
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return cannot_read(ErrorCode::kNotFound, path, "there is no such file; check the path");
    case EACCES:
      return cannot_read(ErrorCode::kInvalidArgument, path, "permission denied; make it readable");
    case ENAMETOOLONG:
      return cannot_read(ErrorCode::kInvalidArgument, path, why);
    default:
      return cannot_read(ErrorCode::kInternal, path, why);
  }
}

}  // namespace

Result<std::string> read_config_file(const std::string& path) {
  // Without O_NONBLOCK the open of a named pipe would wait for its writer.
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_failure(path, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_failure(path, errno);
  if (S_ISDIR(status.st_mode))
    return cannot_read(ErrorCode::kInvalidArgument, path, "it is a directory; name a file in it");
  if (!S_ISREG(status.st_mode)) return cannot_read(ErrorCode::kInvalidArgument, path, "it is not a regular file");

  // One byte above the limit, to detect a file above it even if the file has grown since fstat().
  std::string text(kConfigFileBytesMax + 1, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure(path, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (filled > kConfigFileBytesMax) {
    return cannot_read(ErrorCode::kTooLarge, path, fmt::format("it is larger than {} bytes", kConfigFileBytesMax));
  }
  text.resize(filled);
  return text;
}

}  // namespace hyperscale::runtime
