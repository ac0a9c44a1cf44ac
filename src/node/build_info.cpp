#include "node/build_info.h"

#include "node_build_values.h"
#include "runtime/sandbox/sandbox.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hyperscale::node {

std::string version_text() {
  return kVersionValue;
}

std::string git_commit() {
  return kGitCommitValue;
}

std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string sandbox_text() {
  return runtime::sandbox_text(runtime::sandbox_of_kernel());
}

namespace {

nlohmann::json build_info() {
  return {{"service", "hyperscale"},
          {"version", version_text()},
          {"git", git_commit()},
          {"compiler", compiler_text()},
          {"api", {{"http", "v1"}}}};
}

}  // namespace

std::string build_info_json() {
  return build_info().dump();
}

std::string version_json() {
  const runtime::SandboxState sandbox = runtime::sandbox_of_kernel();
  nlohmann::json info = build_info();
  info["sandbox"] = {{"seccomp", sandbox.filtered}, {"landlock", sandbox.landlock_version}};
  return info.dump();
}

}  // namespace hyperscale::node
