#include "runtime/secret/private_folder.h"

#include "base/errno_text.h"

#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {

std::string user_folder_path() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe): no thread of ours sets it
  const std::string base = runtime != nullptr && *runtime == '/' ? runtime : "/tmp";
  return fmt::format("{}/hyperscale-{}", base, ::geteuid());
}

Status check_private_folder(const std::string& folder) {
  struct stat info{};
  if (::lstat(folder.c_str(), &info) != 0) {
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                fmt::format("{}: {}", folder, errno_text(errno)));
  }
  if (!S_ISDIR(info.st_mode)) return fail(ErrorCode::kUnauthorized, folder + " is not a folder");
  if (info.st_uid != ::geteuid()) return fail(ErrorCode::kUnauthorized, folder + " belongs to another user");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorCode::kUnauthorized, folder + " is open to other users; set its mode to 0700");
  }
  return {};
}

Status open_private_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return fail(ErrorCode::kUnavailable, fmt::format("cannot make {}: {}", folder, errno_text(errno)));
  }
  return check_private_folder(folder);
}

}  // namespace hyperscale::runtime
