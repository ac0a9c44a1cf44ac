#include "wire/jobs/worker_reports.h"

#include "base/check.h"

#include <tuple>

namespace hyperscale::wire {
namespace {

auto share_progress_fields(const ShareProgress& progress) {
  return std::make_tuple(
      std::tie(progress.attempt, progress.figures, progress.sequence, progress.elapsed, progress.last_change),
      progress.fast.text(), progress.exact.text());
}

auto bytes_part_fields(const BytesPart& part) {
  return std::make_tuple(std::tie(part.known, part.offset, part.total, part.error), part.bytes.text());
}

}  // namespace

bool ShareProgress::operator==(const ShareProgress& other) const {
  return share_progress_fields(*this) == share_progress_fields(other);
}

bool BytesPart::operator==(const BytesPart& other) const {
  return bytes_part_fields(*this) == bytes_part_fields(other);
}

std::string_view name(AttemptEvent event) {
  switch (event) {
    case AttemptEvent::kReady:
      return "ready";
    case AttemptEvent::kRefused:
      return "refused";
    case AttemptEvent::kStarted:
      return "started";
    case AttemptEvent::kExecutorLost:
      return "executor_lost";
    case AttemptEvent::kNote:
      return "note";
  }
  UNREACHABLE("attempt event {}", static_cast<int>(event));
}

std::string_view name(AttemptEnd end) {
  switch (end) {
    case AttemptEnd::kCompleted:
      return "completed";
    case AttemptEnd::kFailed:
      return "failed";
    case AttemptEnd::kCancelled:
      return "cancelled";
    case AttemptEnd::kStopped:
      return "stopped";
  }
  UNREACHABLE("attempt end {}", static_cast<int>(end));
}

std::string_view name(AttemptPhase phase) {
  switch (phase) {
    case AttemptPhase::kPreparing:
      return "preparing";
    case AttemptPhase::kReady:
      return "ready";
    case AttemptPhase::kStarted:
      return "started";
    case AttemptPhase::kEnding:
      return "ending";
    case AttemptPhase::kFinished:
      return "finished";
  }
  UNREACHABLE("attempt phase {}", static_cast<int>(phase));
}

}  // namespace hyperscale::wire
