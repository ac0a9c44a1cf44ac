#include "node/control/control_folder.h"

#include "node/control/run_id.h"
#include "node/control/run_listener.h"
#include "runtime/secret/private_folder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr std::string_view kPrefix = "run-";
constexpr std::string_view kNewPrefix = "new-";
constexpr std::string_view kSuffix = ".sock";
constexpr std::string_view kTokenSuffix = ".token";

}  // namespace

std::string control_folder_path() {
  return runtime::user_folder_path();
}

Status check_control_folder(const std::string& folder) {
  return runtime::check_private_folder(folder);
}

Status open_control_folder(const std::string& folder) {
  return runtime::open_private_folder(folder);
}

std::string control_socket_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/{}{}{}", folder, kPrefix, run_id, kSuffix);
}

std::string new_control_socket_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/{}{}{}", folder, kNewPrefix, run_id, kSuffix);
}

std::string api_token_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/{}{}{}", folder, kPrefix, run_id, kTokenSuffix);
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
    if (!listener_of(path).dead) continue;
    ::unlink(path.c_str());
    ::unlink(api_token_path(folder, id).c_str());
  }
}

}  // namespace hyperscale::node
