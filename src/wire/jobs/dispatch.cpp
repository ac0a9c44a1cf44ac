#include "wire/jobs/dispatch.h"

#include "base/check.h"
#include "wire/wire_text.h"

#include <algorithm>
#include <tuple>

namespace hyperscale::wire {
namespace {

auto dispatch_content_fields(const DispatchContent& content) {
  return std::make_tuple(
      std::tie(content.share, content.workflow_name, content.blobs, content.vus, content.cores, content.first_slot,
               content.slots, content.slot_total, content.datacenter_index, content.datacenter_count, content.split,
               content.context_version, content.context, content.timeout, content.stop_without_manager_after),
      content.workflow.text());
}

auto dispatch_fields(const WorkflowDispatch& dispatch) {
  return std::make_tuple(std::tie(dispatch.attempt, dispatch.boot, dispatch.term, dispatch.digest,
                                  dispatch.content_bytes, dispatch.from_elapsed, dispatch.changes),
                         dispatch.content.text());
}

}  // namespace

bool DispatchContent::operator==(const DispatchContent& other) const {
  return dispatch_content_fields(*this) == dispatch_content_fields(other);
}

bool WorkflowDispatch::operator==(const WorkflowDispatch& other) const {
  return dispatch_fields(*this) == dispatch_fields(other);
}

std::string fitted_sentence(std::string_view text) {
  // Not in the middle of a character of UTF-8, whose later bytes are 10xxxxxx.
  std::size_t kept = std::min(text.size(), kSentenceBytesMax);
  const auto continues = [&](std::size_t at) { return at < text.size() && (text[at] & 0xc0) == 0x80; };
  const std::size_t character_start = kept - std::min<std::size_t>(kept, 3);
  while (kept > character_start && continues(kept)) --kept;
  std::string sentence(text.substr(0, kept));
  std::ranges::replace_if(sentence, is_control, ' ');
  return sentence;
}

std::string_view name(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "none";
    case Refusal::kOldFence:
      return "old_fence";
    case Refusal::kOldTerm:
      return "old_term";
    case Refusal::kOtherBoot:
      return "other_boot";
    case Refusal::kOtherContent:
      return "other_content";
    case Refusal::kNoCores:
      return "no_cores";
    case Refusal::kDraining:
      return "draining";
    case Refusal::kShelfFull:
      return "shelf_full";
    case Refusal::kBadPlan:
      return "bad_plan";
    case Refusal::kUnknown:
      return "unknown";
    case Refusal::kNotReady:
      return "not_ready";
    case Refusal::kResources:
      return "resources";
  }
  UNREACHABLE("refusal {}", static_cast<int>(refusal));
}

}  // namespace hyperscale::wire
