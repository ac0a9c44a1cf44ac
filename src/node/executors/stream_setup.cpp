#include "node/executors/stream_setup.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

namespace hyperscale::node {
namespace {

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

std::string absolute_base(const std::string& base) {
  std::error_code ignored;  // opening fails later if it cannot be made absolute
  std::string whole = std::filesystem::absolute(base, ignored).lexically_normal().string();
  if (ignored) return base;
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

Result<stream::DriverSetup> driver_setup_from_environment(const std::string& name_space) {
  stream::DriverSetup setup{.name_space = name_space};
  setup.policies.cleanup_shm_on_exit = true;
  setup.policies.epoch_gc_on_startup = true;
  if (const auto base = environment(stream::kShmBaseDirVariable); base && !base->empty())
    setup.shm_base_dir = absolute_base(*base);
  if (Status applied = stream::apply_policy_variables(setup.policies, &environment); !applied)
    return fail(applied.error());
  return setup;
}

}  // namespace hyperscale::node
