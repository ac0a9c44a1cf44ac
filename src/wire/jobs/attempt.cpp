#include "wire/jobs/attempt.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

constexpr std::array kShareParts{SharePart::kSteps, SharePart::kSetup, SharePart::kTeardown};

// Digits only, without a needless zero: a share has one text.
std::optional<std::uint32_t> parse_share_number(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  return value;
}

std::optional<SharePart> parse_share_part(std::string_view text) {
  const auto* const found = std::ranges::find(kShareParts, text, [](SharePart part) { return name(part); });
  return found == kShareParts.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

bool is_job_id(std::string_view text) {
  const auto allowed = [](char c) { return c > ' ' && c <= '~' && c != '/'; };
  return !text.empty() && text.size() <= kJobIdBytesMax && std::ranges::all_of(text, allowed);
}

std::string to_string(const Fence& fence) {
  return fmt::format("{}.{}", fence.epoch, fence.attempt);
}

std::string_view name(SharePart part) {
  switch (part) {
    case SharePart::kSteps:
      return "steps";
    case SharePart::kSetup:
      return "setup";
    case SharePart::kTeardown:
      return "teardown";
  }
  UNREACHABLE("share part {}", static_cast<int>(part));
}

std::string to_string(const ShareId& share) {
  return fmt::format("{}/{}.{}.{}", share.job, share.workflow, name(share.part), share.share);
}

Result<ShareId> parse_share_id(std::string_view text) {
  const auto refuse = [] {
    return invalid("a share is JOB/WORKFLOW.PART.NUMBER, such as eu-1763535600000-k3v9x2ma-1/0.steps.3");
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_job_id(text.substr(0, slash))) return refuse();
  const std::string_view rest = text.substr(slash + 1);
  const std::size_t first = rest.find('.');
  const std::size_t last = rest.rfind('.');
  if (first == std::string_view::npos || first == last) return refuse();
  const auto workflow = parse_share_number(rest.substr(0, first));
  const auto part = parse_share_part(rest.substr(first + 1, last - first - 1));
  const auto share = parse_share_number(rest.substr(last + 1));
  if (!workflow || !part || !share || (*part != SharePart::kSteps && *share != 0)) return refuse();
  return ShareId{.job = std::string(text.substr(0, slash)), .workflow = *workflow, .part = *part, .share = *share};
}

std::string to_string(const AttemptId& attempt) {
  return to_string(attempt.share) + '@' + to_string(attempt.fence);
}

}  // namespace hyperscale::wire
