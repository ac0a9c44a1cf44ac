#include "node/process/build_info.h"

#include "base/json_writer.h"
#include "node_build_values.h"
#include "runtime/sandbox/sandbox.h"

#include <fmt/format.h>

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

// Fields by name.
std::string info_json(const runtime::SandboxState* sandbox) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.key("api");
  json.begin_object();
  json.field("http", "v1");
  json.end_object();
  json.field("compiler", compiler_text());
  json.field("git", git_commit());
  if (sandbox != nullptr) {
    json.key("sandbox");
    json.begin_object();
    json.field("landlock", sandbox->landlock_version);
    json.field("seccomp", sandbox->filtered);
    json.end_object();
  }
  json.field("service", "hyperscale");
  json.field("version", version_text());
  json.end_object();
  return json.take_text();
}

}  // namespace

std::string build_info_json() {
  return info_json(nullptr);
}

std::string version_json() {
  const runtime::SandboxState sandbox = runtime::sandbox_of_kernel();
  return info_json(&sandbox);
}

}  // namespace hyperscale::node
