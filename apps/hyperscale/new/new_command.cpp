#include "apps/hyperscale/new/new_command.h"

#include "base/exit_code.h"
#include "base/print_text.h"
#include "intake/file_content.h"
#include "intake/workflow_file.h"
#include "plan/option_values.h"
#include "workflow/script/embedded.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

int failed(const std::string& sentence, ExitCode exit) {
  print_text(stderr, fmt::format("hyperscale new: {}\n", sentence));
  return static_cast<int>(exit);
}

// Replaces the placeholder in the starter by the name of the file.
std::string starter_for(const std::string& file) {
  std::string text(workflow::embedded::starter_js());
  constexpr std::string_view kPlaceholder = " FILE\n";
  for (std::size_t at = text.find(kPlaceholder); at != std::string::npos; at = text.find(kPlaceholder))
    text.replace(at, kPlaceholder.size(), fmt::format(" {}\n", file));
  return text;
}

}  // namespace

int new_command(const std::string& file, bool force) {
  if (!intake::is_workflow_file(file)) return failed(plan::shown(file) + " does not end in .js", ExitCode::kUsage);
  if (!force && ::access(file.c_str(), F_OK) == 0)
    return failed(file + " is there already; --force replaces it", ExitCode::kUsage);
  const std::size_t slash = file.rfind('/');
  const std::string types = (slash == std::string::npos ? "" : file.substr(0, slash + 1)) + "hyperscale.d.ts";
  if (Status written = intake::replace_file(file, starter_for(file)); !written)
    return failed(written.error().context, ExitCode::kFailed);
  if (Status written = intake::replace_file(types, workflow::embedded::hyperscale_d_ts()); !written)
    return failed(written.error().context, ExitCode::kFailed);
  print_text(stdout, fmt::format("{} is a workflow to start from, {} helps your editor.\n\n"
                                 "  hyperscale check {}\n  hyperscale run {}\n",
                                 file, types, file, file));
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace hyperscale::app
