#include "node/run/check_command.h"

#include "node/run/checked_file.h"
#include "node/run/machine_limits.h"
#include "node/run/option_values.h"
#include "node/run/print_text.h"
#include "node/run/run_exit.h"
#include "node/run/workflow_file.h"

#include <cstdio>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr std::uint32_t kCoresMax = 1'000'000;

Result<CheckedFile> check(const CheckOptions& options) {
  auto cores = static_cast<std::uint32_t>(usable_cores().size());
  if (!options.cores.empty()) {
    const auto asked = read_count("--cores", options.cores, 1, kCoresMax);
    if (!asked) return fail(asked.error());
    cores = static_cast<std::uint32_t>(*asked);
  }
  auto description = describe_file(options.file, options.env);
  if (!description) return fail(description.error());
  return checked_file(options.file, std::move(*description), cores);
}

}  // namespace

int check_command(const CheckOptions& options) {
  const auto checked = check(options);
  if (!checked) {
    print_text(stderr, fmt::format("hyperscale check: {}\n", checked.error().context));
    return static_cast<int>(RunExit::kUsage);
  }
  print_text(stdout, options.json ? checked_json(*checked) : checked_text(*checked));
  return static_cast<int>(RunExit::kOk);
}

}  // namespace hyperscale::node
