#include "plan/arguments/media_type.h"

#include "plan/ascii.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace hyperscale::plan {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 30> kTypes{{
    {"avif", "image/avif"},
    {"bin", "application/octet-stream"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"eml", "message/rfc822"},
    {"gif", "image/gif"},
    {"gql", "application/graphql"},
    {"graphql", "application/graphql"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"ndjson", "application/x-ndjson"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"toml", "application/toml"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webp", "image/webp"},
    {"xml", "application/xml"},
    {"yaml", "application/yaml"},
    {"zip", "application/zip"},
}};

}  // namespace

std::string_view media_type_of(std::string_view file_name) {
  constexpr std::string_view kUnknown = "application/octet-stream";
  const std::string_view base = file_name.substr(file_name.rfind('/') + 1);
  const std::size_t dot = base.rfind('.');
  // A leading dot hides a file; it does not start an extension.
  if (dot == std::string_view::npos || dot == 0) return kUnknown;
  const std::string ending = lower_case(base.substr(dot + 1));
  const auto* found = std::ranges::find(kTypes, ending, [](const auto& type) { return type.first; });
  return found == kTypes.end() ? kUnknown : found->second;
}

}  // namespace hyperscale::plan
