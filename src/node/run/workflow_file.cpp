#include "node/run/workflow_file.h"

#include "node/run/file_content.h"
#include "node/run/load_from_options.h"
#include "node/run/option_values.h"
#include "workflow/describe.h"
#include "workflow/script/runtime.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

// Nothing is sent while a file is only looked at: a script that calls out at its top level is told so by the engine.
class NoClient final : public workflow::ScriptClient {
  void start(workflow::CallId, const workflow::ScriptRequest&) override {}
  void cancel(workflow::CallId) override {}
};
class NoTimers final : public workflow::ScriptTimers {
  void arm(workflow::TimerId, Duration) override {}
  void disarm(workflow::TimerId) override {}
};
class NoLog final : public workflow::ScriptLog {
  void write(workflow::LogLevel, std::string_view) override {}
};
class NoMetrics final : public workflow::ScriptMetrics {
  void record(workflow::MetricKind, std::string_view, double, std::span<const plan::Tag>) override {}
};

class FilesBelow final : public workflow::SourceProvider {
 public:
  explicit FilesBelow(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> read(const std::string& path) override {
    const std::string_view below = std::string_view(path).substr(std::min(folder_.size(), path.size()));
    if (!path.starts_with(folder_) || below.starts_with("..") || below.starts_with('/')) return std::nullopt;
    auto text = read_whole_file(path, kSourceBytesMax);
    if (!text) return std::nullopt;
    return std::move(*text);
  }

 private:
  std::string folder_;  // with its slash, or empty
};

tl::unexpected<Error> mistakes(const std::string& path, const workflow::ScriptErrors& errors) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} has {} mistake{}\n{}", path, errors.size(),
                                                       errors.size() == 1 ? "" : "s", workflow::format_errors(errors)));
}

}  // namespace

bool is_workflow_file(std::string_view argument) {
  return (argument.ends_with(".js") || argument.ends_with(".mjs")) && argument.find("://") == std::string_view::npos;
}

Result<workflow::Description> describe_file(const std::string& path, const std::vector<std::string>& env) {
  workflow::RuntimeOptions options;
  for (const std::string& text : env) {
    const auto pair = read_pair("--env", text, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    options.env[pair->name] = pair->value;
  }
  // As the linker writes paths, so that mistakes are shown with the path that the user gave.
  const std::string entry = std::filesystem::path(path).lexically_normal();
  const std::string folder = entry.substr(0, entry.rfind('/') + 1);
  if (const auto text = read_whole_file(path, kSourceBytesMax); !text) return fail(text.error());
  NoClient client;
  NoTimers timers;
  NoLog log;
  NoMetrics metrics;
  auto runtime = workflow::Runtime::create(std::move(options),
                                           {.client = &client, .timers = &timers, .log = &log, .metrics = &metrics});
  if (!runtime) return fail(runtime.error());
  FilesBelow files(folder);
  if (const auto loaded = (*runtime)->load(files, entry); !loaded) return mistakes(path, loaded.error());
  auto description = workflow::describe(**runtime);
  if (!description) return mistakes(path, description.error());
  for (workflow::Workflow& each : description->workflows) {
    const bool endless = each.load.duration == Duration::zero() && each.load.iterations == 0;
    if (endless) each.load.duration = kDurationDefault;
  }
  return std::move(*description);
}

}  // namespace hyperscale::node
