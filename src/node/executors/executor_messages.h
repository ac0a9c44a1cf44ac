// Messages between a runner and an executor over their socketpair: request frames (wire/frame.h) whose method is the
// kind of message. Samples go through shared memory instead.
//
//   runner -> executor   plan-part (repeated), plan, start, change (repeated), stop
//   executor -> runner   ready or refused, log (repeated), finished
//
// Each body begins with a version byte; one form per message. Decoding does not trust its input: bytes that
// encode_message() never writes are kProtocol. Pure functions and values; one owner per PlanAssembly.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "load/loop/event_loop.h"
#include "load/step_script.h"
#include "plan/fleet/number_sequence.h"
#include "plan/limits.h"
#include "plan/load_change.h"
#include "plan/plan.h"
#include "plan/segment.h"
#include "wire/frame.h"
#include "wire/frame_decoder.h"
#include "wire/limits.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::node {

inline constexpr std::uint8_t kExecutorProtocolVersion = 5;
inline constexpr std::size_t kPlanPartBytesMax = std::size_t{512} << 10;
inline constexpr std::size_t kRefusalBytesMax = 4096;
inline constexpr std::size_t kLogBytesMax = 4096;
inline constexpr std::size_t kFailureTextBytesMax = 4096;
// The head is frame header, method name and version. The largest messages are those with values: a start, the end of a
// setup.
inline constexpr std::size_t kMessageHeadBytesMax = wire::kFrameHeaderBytes + 1 + wire::kMethodNameBytesMax + 1;
inline constexpr std::size_t kNumberBytesMax = 10;
inline constexpr std::size_t kExecutorMessageBytesMax =
    kMessageHeadBytesMax + 6 * kNumberBytesMax + kFailureTextBytesMax +
    plan::kSharedValuesMax * (2 * plan::kNameBytesMax + plan::kSharedValueBytesMax + 3 * kNumberBytesMax);
inline constexpr wire::FrameLimits kExecutorFrames{.max_frame_bytes = kExecutorMessageBytesMax};
static_assert(kExecutorMessageBytesMax <= wire::kMaxFrameBytesCeiling && kPlanPartBytesMax < kExecutorMessageBytesMax);

// A plan may be larger than a frame, so its bytes are sent in parts.
struct PlanPart {
  SharedBytes bytes;  // 1 to kPlanPartBytesMax
};
// Follows the last part; names the segment to run.
struct PlanEnd {
  std::uint64_t plan_bytes = 0;  // of all parts
  plan::Segment segment;
  plan::NumberSequence numbers;  // of the share that the segment belongs to
  load::LoopBackend backend = load::LoopBackend::kAuto;
};
// The monotonic clock is the same in all processes of a machine.
struct Start {
  MonoTime at;
  std::uint64_t first_arrival = 0;
  std::uint64_t first_round = 0;               // of every user: the replaced executor has begun the earlier ones
  std::vector<plan::SharedValue> values = {};  // for the functions of the plan's script
};
// Sent after the start.
struct Change {
  plan::LoadChange change;
};
struct Stop {};
struct Ready {};
struct Refused {
  std::string sentence;  // cut to kRefusalBytesMax
};
// A line that the script wrote.
struct Log {
  load::LogLevel level = load::LogLevel::kInfo;
  std::string text;  // cut to kLogBytesMax
};
struct Finished {
  Duration cpu{};                              // used since the start
  std::vector<plan::SharedValue> values = {};  // that functions share with others
  std::string failure = {};                    // of a setup or teardown; cut to kFailureTextBytesMax
};

using ExecutorMessage = std::variant<PlanPart, PlanEnd, Start, Change, Stop, Ready, Refused, Log, Finished>;

// The bytes of a whole frame. REQUIRES: a plan part within its limit.
std::vector<std::uint8_t> encode_message(const ExecutorMessage& message);
Result<ExecutorMessage> decode_message(const wire::Frame& frame);

// The frames of all parts of an encoded plan, one after the other.
std::vector<std::uint8_t> encode_plan_parts(ByteView plan);

// Joins the parts of a plan.
class PlanAssembly {
 public:
  // kTooLarge beyond plan::kPlanBytesMax.
  Status add(const PlanPart& part);
  // Decodes the plan if the parts are complete. Consumes the parts.
  Result<plan::Plan> finish(const PlanEnd& end);

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace hyperscale::node
