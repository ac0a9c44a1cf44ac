#include "intake/file_arguments.h"

#include "intake/file_content.h"
#include "plan/arguments/directory.h"
#include "plan/arguments/file_glob.h"
#include "plan/arguments/glob_pattern.h"
#include "plan/limits.h"
#include "plan/option_values.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_scan(const std::string& directory, const std::error_code& error) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("cannot read {}: {}", directory, error.message()));
}

std::string without_slashes_at_end(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string joined(const std::string& directory, const std::string& name) {
  return directory.ends_with('/') ? directory + name : directory + '/' + name;
}

// One scan; it processes one entry at a time, so that its limits apply before entries are stored.
class Scan {
 public:
  Scan(std::string directory, const ScanOptions& options) : directory_(std::move(directory)), options_(options) {}

  Result<std::vector<plan::ListedFile>> run() {
    std::error_code error;
    fs::recursive_directory_iterator at(directory_, error);
    for (std::size_t seen = 0; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (++seen > options_.entries_max) {
        return fail(ErrorCode::kTooLarge, fmt::format("{} has more than {} entries", directory_, options_.entries_max));
      }
      if (Status looked = look_at(at); !looked) return fail(looked.error());
    }
    if (error) return cannot_scan(directory_, error);
    return std::move(files_);
  }

 private:
  Status look_at(fs::recursive_directory_iterator& at) {
    const std::string path = at->path().string();
    const std::size_t depth = static_cast<std::size_t>(at.depth()) + 1;
    if (!options_.hidden && at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
      return {};
    }
    std::error_code error;
    if (at->is_directory(error)) {
      if (depth < options_.depth_max) return {};
      at.disable_recursion_pending();
      if (options_.depth_max < kScanDepthMax) return {};
      return fail(ErrorCode::kTooLarge, fmt::format("{} has more than {} levels", directory_, kScanDepthMax));
    }
    if (!at->is_regular_file(error)) return {};
    const std::uintmax_t bytes = at->file_size(error);
    if (error) return cannot_scan(path, error);
    files_.push_back({.path = path.substr(directory_.size() + (directory_.ends_with('/') ? 0 : 1)), .bytes = bytes});
    return {};
  }

  std::string directory_;
  ScanOptions options_;
  std::vector<plan::ListedFile> files_;
};

Result<plan::PreparedFile> read_file(const std::string& path) {
  auto content = read_whole_file(path, plan::kBodyBytesMax);
  if (!content) return fail(content.error());
  plan::File file({.path = path, .content = std::move(*content)});
  if (Status prepared = file.optimise(); !prepared) return fail(prepared.error());
  return file.prepared();
}

Result<std::vector<plan::PreparedFile>> read_files(const std::string& directory,
                                                   const std::vector<plan::ListedFile>& files) {
  std::vector<plan::PreparedFile> contents;
  contents.reserve(files.size());
  std::uint64_t bytes = 0;
  for (const plan::ListedFile& listed : files) {
    auto file = read_file(joined(directory, listed.path));
    if (!file) return fail(file.error());
    // Counted again: a file may have grown since it was listed.
    bytes += file->bytes;
    if (bytes > kNamedFilesBytesMax) {
      return fail(ErrorCode::kTooLarge, fmt::format("the files have more than {} bytes", kNamedFilesBytesMax));
    }
    contents.push_back(std::move(*file));
  }
  return contents;
}

Status check_amount(const std::string& what, std::size_t files, std::uint64_t bytes, std::size_t files_max) {
  if (files > files_max) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} has {} files, at most {} fit", what, files, files_max));
  }
  if (bytes > kNamedFilesBytesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} has {} bytes, at most {} fit", what, bytes, kNamedFilesBytesMax));
  }
  return {};
}

Result<std::vector<plan::PreparedFile>> read_directory(const std::string& path, std::size_t files_max) {
  const std::string directory = without_slashes_at_end(path);
  auto listing = scan_directory(directory, {});
  if (!listing) return fail(listing.error());
  plan::Directory argument(std::move(*listing));
  if (Status prepared = argument.optimise(); !prepared) return fail(prepared.error());
  const plan::PreparedDirectory& content = argument.prepared();
  if (content.files.empty()) return fail(ErrorCode::kInvalidArgument, fmt::format("{} has no file", directory));
  if (Status fits = check_amount(directory, content.files.size(), content.bytes, files_max); !fits) {
    return fail(fits.error());
  }
  return read_files(directory, content.files);
}

// The scan starts at the longest folder of the path without wildcards.
Result<std::vector<plan::PreparedFile>> read_matches(const std::string& text, std::size_t files_max) {
  const std::size_t slash = text.rfind('/', text.find_first_of("*?["));
  std::string directory = ".";
  std::string pattern = text;
  if (slash != std::string::npos) {
    directory = slash == 0 ? "/" : without_slashes_at_end(text.substr(0, slash));
    pattern = text.substr(slash + 1);
  }
  const auto parsed = plan::GlobPattern::parse(pattern);
  if (!parsed) return fail(parsed.error());
  ScanOptions options;
  if (parsed->parts_max() > 0) options.depth_max = std::min(parsed->parts_max(), kScanDepthMax - 1);
  options.hidden = pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
  auto listing = scan_directory(directory, options);
  if (!listing) return fail(listing.error());
  plan::FileGlob glob({.pattern = pattern, .listing = std::move(*listing)});
  if (Status prepared = glob.optimise(); !prepared) {
    return fail(prepared.error().code, fmt::format("{} in {}", prepared.error().context, directory));
  }
  const plan::PreparedGlob& matches = glob.prepared();
  if (Status fits = check_amount(plan::shown(text), matches.files.size(), matches.bytes, files_max); !fits) {
    return fail(fits.error());
  }
  return read_files(directory, matches.files);
}

}  // namespace

Result<std::vector<plan::ListedFile>> scan_directory(const std::string& directory, const ScanOptions& options) {
  return Scan(without_slashes_at_end(directory), options).run();
}

Result<std::vector<plan::PreparedFile>> read_named_files(const std::string& path_or_pattern, std::size_t files_max) {
  std::error_code error;
  const fs::file_status status = fs::status(path_or_pattern, error);
  if (fs::is_directory(status)) return read_directory(path_or_pattern, files_max);
  if (!fs::exists(status) && plan::GlobPattern::has_wildcard(path_or_pattern)) {
    return read_matches(path_or_pattern, files_max);
  }
  auto file = read_file(path_or_pattern);
  if (!file) return fail(file.error());
  return std::vector<plan::PreparedFile>{std::move(*file)};
}

}  // namespace hyperscale::intake
