#include "wire/peer_error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hyperscale::wire {
namespace {

// Whether the context of such an error speaks of what the peer asked for. The others speak of this machine.
bool about_the_request(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBusy:
    case ErrorCode::kTimeout:
    case ErrorCode::kUnavailable:
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kConflict:
    case ErrorCode::kTooLarge:
    case ErrorCode::kProtocol:
      return true;
    default:
      return false;
  }
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

// "/etc/x" and "src/x/y" name files; "a/s" in "3/s" and "and/or" do not.
bool names_a_path(std::string_view text) {
  std::size_t slashes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      const bool starts = i == 0 || !is_word(text[i - 1]);
      if (starts && i + 1 < text.size() && is_word(text[i + 1])) return true;
      if (++slashes == 2) return true;
    } else if (!is_word(text[i])) {
      slashes = 0;
    }
  }
  return false;
}

bool looks_internal(std::string_view text) {
  constexpr std::array<std::string_view, 9> kTraces{
      "0x", ".cpp", ".h:", "::", "std::", "errno", "exception", "#0", "Stack"};
  return std::ranges::any_of(kTraces,
                             [&](std::string_view trace) { return text.find(trace) != std::string_view::npos; }) ||
         names_a_path(text) || !std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

Error sanitised_for_peer(const Error& error) {
  const bool kept = about_the_request(error.code) && error.context.size() <= kPeerErrorBytesMax &&
                    !error.context.empty() && !looks_internal(error.context);
  return {.code = error.code, .context = kept ? error.context : "the node's log says more"};
}

}  // namespace hyperscale::wire
