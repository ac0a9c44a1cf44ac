#include "intake/workflow_file.h"

#include "intake/file_content.h"
#include "intake/load_from_options.h"
#include "plan/option_values.h"
#include "workflow/blob_sources.h"
#include "workflow/describe.h"
#include "workflow/script/runtime.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

// Sends nothing while a file is only described: for a call at the top level of a script the engine reports an error.
class NoClient final : public workflow::ScriptClient {
  void start(workflow::CallId, workflow::ScriptRequest) override {}
  void cancel(workflow::CallId) override {}
  void forget(workflow::UserSlot, std::span<const workflow::CallId>) override {}
};
class NoTimers final : public workflow::ScriptTimers {
  void arm(workflow::TimerId, Duration) override {}
  void disarm(workflow::TimerId) override {}
};
class NoLog final : public workflow::ScriptLog {
  void write(workflow::LogLevel, std::string_view) override {}
};
class NoMetrics final : public workflow::ScriptMetrics {
  void record(workflow::UserSlot, workflow::MetricKind, std::string_view, double) override {}
};

// Normalises a path as the linker does. folder_of() keeps the slash at its end.
std::string entry_of(const std::string& path) {
  return std::filesystem::path(path).lexically_normal();
}

std::string folder_of(const std::string& entry) {
  return entry.substr(0, entry.rfind('/') + 1);
}

// True if a path is below a folder. The folder ends with a slash, or is empty.
bool is_below(const std::string& folder, const std::string& path) {
  const std::string_view below = std::string_view(path).substr(std::min(folder.size(), path.size()));
  return path.starts_with(folder) && !below.starts_with("..") && !below.starts_with('/') && entry_of(path) == path;
}

class FilesBelow final : public workflow::SourceProvider {
 public:
  FilesBelow(std::string folder, const OpenFile& open) : folder_(std::move(folder)), open_(open) {}

  bool has(const std::string& path) const { return is_below(folder_, path); }

  std::optional<std::string> read(const std::string& path) override {
    if (!has(path)) return std::nullopt;
    auto text = read_text(path);
    if (!text) return std::nullopt;
    read_.push_back(plan::make_blob(path, *text));
    return std::move(*text);
  }

  Result<std::string> read_text(const std::string& path) const {
    auto fd = open_(path);
    if (!fd) return fail(fd.error());
    return read_whole_descriptor(std::move(*fd), path, kSourceBytesMax);
  }

  // All files that were read.
  std::vector<plan::Blob> take() { return std::move(read_); }

 private:
  std::string folder_;
  const OpenFile& open_;
  std::vector<plan::Blob> read_;
};

tl::unexpected<Error> mistakes(const std::string& path, const workflow::ScriptErrors& errors) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} has {} mistake{}\n{}", path, errors.size(),
                                                       errors.size() == 1 ? "" : "s", workflow::format_errors(errors)));
}

// A name alone refers to a variable of this process: secrets on a command line are visible to all users of the machine.
Status read_variables(std::string_view option, const std::vector<std::string>& texts, std::vector<plan::Tag>& into) {
  for (const std::string& text : texts) {
    if (!text.empty() && text.find('=') == std::string::npos) {
      // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread sets it meanwhile
      const char* const value = std::getenv(text.c_str());
      if (value == nullptr)
        return plan::wrong_option(option,
                                  fmt::format("there is no environment variable {}; write {}=VALUE", text, text));
      into.push_back({.name = text, .value = value});
      continue;
    }
    const auto pair = plan::read_pair(option, text, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    into.push_back({.name = pair->name, .value = pair->value});
  }
  return {};
}

// Reads rows now, so that errors in a data file are reported before the run.
Status read_data(workflow::Runtime& runtime, const workflow::Workflow& declared, const std::string& entry,
                 FilesBelow& files) {
  for (const workflow::DataSource& source : declared.data) {
    const std::string path = workflow::data_path(entry, source.file);
    const auto text = files.read(path);
    if (!text) {
      const std::string reason = files.has(path) ? files.read_text(path).error().context
                                                 : fmt::format("{} is not below the folder of the workflow file", path);
      return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", workflow::place_text(declared.place), reason));
    }
    if (const auto rows = runtime.add_data(declared, source, *text); !rows)
      return fail(ErrorCode::kInvalidArgument, workflow::format_error(rows.error()));
  }
  return {};
}

}  // namespace

bool is_workflow_file(std::string_view argument) {
  return (argument.ends_with(".js") || argument.ends_with(".mjs")) && argument.find("://") == std::string_view::npos;
}

Status refuse_other_file(const std::string& argument) {
  std::error_code unknown;
  if (is_workflow_file(argument) || !std::filesystem::is_regular_file(argument, unknown)) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{} is a file, and only .js and .mjs files are workflows; a URL begins with http://, "
                          "https://, tcp://, tls:// or udp://",
                          plan::shown(argument)));
}

Result<ScriptVariables> read_script_variables(const std::vector<std::string>& env,
                                              const std::vector<std::string>& secrets) {
  ScriptVariables out;
  if (Status read = read_variables("--env", env, out.env); !read) return fail(read.error());
  if (Status read = read_variables("--secret", secrets, out.secrets); !read) return fail(read.error());
  return out;
}

OpenFile files_to_describe(const std::string& path) {
  return [path, folder = folder_of(entry_of(path))](const std::string& asked) -> Result<OwnedFd> {
    if (asked != path && !is_below(folder, asked))
      return fail(ErrorCode::kUnauthorized, fmt::format("{} is not below the folder of the workflow file", asked));
    return open_regular_file(asked);
  };
}

Result<DescribedFile> describe_file(const std::string& path, const ScriptVariables& variables, std::uint64_t seed,
                                    const OpenFile& open) {
  DescribedFile out;
  out.script.env = variables.env;
  out.script.secrets = variables.secrets;
  workflow::RuntimeOptions options;
  options.seed = seed;
  for (const plan::Tag& variable : variables.env) options.env[variable.name] = variable.value;
  for (const plan::Tag& variable : variables.secrets) options.secrets[variable.name] = variable.value;
  // As the linker normalises paths, so that errors show the path that the user gave.
  const std::string entry = entry_of(path);
  FilesBelow files(folder_of(entry), open);
  if (const auto text = files.read_text(path); !text) return fail(text.error());
  NoClient client;
  NoTimers timers;
  NoLog log;
  NoMetrics metrics;
  auto runtime = workflow::Runtime::create(std::move(options),
                                           {.client = &client, .timers = &timers, .log = &log, .metrics = &metrics});
  if (!runtime) return fail(runtime.error());
  if (const auto loaded = (*runtime)->load(files, entry); !loaded) return mistakes(path, loaded.error());
  auto description = workflow::describe(**runtime);
  if (!description) return mistakes(path, description.error());
  for (workflow::Workflow& each : description->workflows) {
    const bool endless = each.load.duration == Duration::zero() && each.load.iterations == 0;
    if (endless) each.load.duration = kDurationDefault;
    if (Status read = read_data(**runtime, each, entry, files); !read) return fail(read.error());
  }
  out.description = std::move(*description);
  out.script.entry = entry;
  out.script.files = files.take();
  return out;
}

}  // namespace hyperscale::intake
