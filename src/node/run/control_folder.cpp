#include "node/run/control_folder.h"

#include "base/errno_text.h"
#include "node/run/run_id.h"
#include "node/run/run_listener.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr std::string_view kPrefix = "run-";
constexpr std::string_view kNewPrefix = "new-";
constexpr std::string_view kSuffix = ".sock";

}  // namespace

std::string control_folder_path() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it while we run
  const std::string base = runtime != nullptr && *runtime == '/' ? runtime : "/tmp";
  return fmt::format("{}/hyperscale-{}", base, ::geteuid());
}

Status check_control_folder(const std::string& folder) {
  struct stat info{};
  if (::lstat(folder.c_str(), &info) != 0) {
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                fmt::format("{}: {}", folder, errno_text(errno)));
  }
  if (!S_ISDIR(info.st_mode)) return fail(ErrorCode::kUnauthorized, folder + " is not a folder");
  if (info.st_uid != ::geteuid()) return fail(ErrorCode::kUnauthorized, folder + " belongs to another user");
  if ((info.st_mode & 0077) != 0) {
    return fail(ErrorCode::kUnauthorized, folder + " is open to other users; set its mode to 0700");
  }
  return {};
}

Status open_control_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(ErrorCode::kUnavailable, fmt::format("cannot make {}: {}", folder, errno_text(errno)));
  }
  return check_control_folder(folder);
}

std::string control_socket_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/{}{}{}", folder, kPrefix, run_id, kSuffix);
}

std::string new_control_socket_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/{}{}{}", folder, kNewPrefix, run_id, kSuffix);
}

std::vector<std::string> runs_in(const std::string& folder) {
  std::vector<std::string> runs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    std::string id = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    if (is_run_id(id)) runs.push_back(std::move(id));
  }
  std::ranges::sort(runs);
  return runs;
}

void remove_dead_sockets(const std::string& folder) {
  for (const std::string& id : runs_in(folder)) {
    const std::string path = control_socket_path(folder, id);
    if (listener_of(path).dead) ::unlink(path.c_str());
  }
}

}  // namespace hyperscale::node
