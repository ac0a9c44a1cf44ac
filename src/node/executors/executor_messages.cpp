#include "node/executors/executor_messages.h"

#include "base/check.h"
#include "base/field_bytes.h"
#include "base/varint.h"
#include "plan/limits.h"
#include "plan/plan_codec.h"
#include "wire/request_payload.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using Body = std::vector<std::uint8_t>;

constexpr std::string_view kPlanPart = "plan-part";
constexpr std::string_view kPlan = "plan";
constexpr std::string_view kStart = "start";
constexpr std::string_view kChange = "change";
constexpr std::string_view kStop = "stop";
constexpr std::string_view kReady = "ready";
constexpr std::string_view kRefused = "refused";
constexpr std::string_view kLog = "log";
constexpr std::string_view kFinished = "finished";
constexpr std::uint64_t kTimeMax = static_cast<std::uint64_t>(INT64_MAX);

tl::unexpected<Error> broken(std::string_view method, std::string_view why) {
  return fail(ErrorCode::kProtocol, fmt::format("message {}: {}", method, why));
}

// The fields of messages that carry more than two numbers.
struct StartFields {
  std::uint64_t at = 0;
  std::uint64_t first_arrival = 0;
  std::uint64_t first_round = 0;
  std::vector<plan::SharedValue> values;
};
struct FinishedFields {
  std::uint64_t cpu = 0;
  std::vector<plan::SharedValue> values;
  std::string failure;
};

template <typename Fields>
void describe_values(Fields& fields, typename Fields::template Ref<std::vector<plan::SharedValue>> values) {
  fields.list("values", values, plan::kSharedValuesMax, [&](auto& value) {
    fields.text("source", value.source, plan::kNameBytesMax);
    fields.text("key", value.key, plan::kNameBytesMax);
    fields.text("value", value.json, plan::kSharedValueBytesMax);
  });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<StartFields> start) {
  fields.number("start", start.at, kTimeMax);
  fields.number("first arrival", start.first_arrival, UINT64_MAX);
  fields.number("first round", start.first_round, UINT64_MAX);
  describe_values<Fields>(fields, start.values);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<plan::LoadChangeKind> kind,
              typename Fields::template Ref<double> value, typename Fields::template Ref<std::uint64_t> at) {
  fields.choice("kind", kind, plan::LoadChangeKind::kResume);
  fields.real("value", value, plan::kRateMax);
  fields.number("time", at, kTimeMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<load::LogLevel> level,
              typename Fields::template Ref<std::string> text) {
  fields.choice("level", level, load::LogLevel::kError);
  fields.text("text", text, kLogBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<FinishedFields> finished) {
  fields.number("cpu", finished.cpu, kTimeMax);
  describe_values<Fields>(fields, finished.values);
  fields.text("failure", finished.failure, kFailureTextBytesMax);
}

struct Encoder {
  Body body{kExecutorProtocolVersion};

  template <typename... Records>
  void write(const Records&... records) {
    FieldWriter writer(body);
    describe<FieldWriter>(writer, records...);
    CHECK(writer.status(), "{}", writer.status().error().context);
  }

  std::string_view operator()(const PlanPart& part) {
    CHECK(!part.bytes.empty() && part.bytes.size() <= kPlanPartBytesMax, "a part of {} bytes", part.bytes.size());
    body.insert(body.end(), part.bytes.data(), part.bytes.data() + part.bytes.size());
    return kPlanPart;
  }
  std::string_view operator()(const PlanEnd& end) {
    append_varint(body, end.plan_bytes);
    append_varint(body, static_cast<std::uint64_t>(end.backend));
    append_varint(body, end.numbers.first);
    append_varint(body, end.numbers.slots);
    const auto segment = plan::encode(end.segment);
    body.insert(body.end(), segment.begin(), segment.end());
    return kPlan;
  }
  std::string_view operator()(const Start& start) {
    write(StartFields{static_cast<std::uint64_t>(start.at.ns()), start.first_arrival, start.first_round, start.values});
    return kStart;
  }
  std::string_view operator()(const Change& change) {
    write(change.change.kind, change.change.value, static_cast<std::uint64_t>(change.change.at.ns()));
    return kChange;
  }
  std::string_view operator()(const Stop&) { return kStop; }
  std::string_view operator()(const Ready&) { return kReady; }
  std::string_view operator()(const Refused& refused) {
    const std::size_t size = std::min(refused.sentence.size(), kRefusalBytesMax);
    body.insert(body.end(), refused.sentence.begin(), refused.sentence.begin() + static_cast<std::ptrdiff_t>(size));
    return kRefused;
  }
  std::string_view operator()(const Log& log) {
    write(log.level, log.text.substr(0, kLogBytesMax));
    return kLog;
  }
  std::string_view operator()(const Finished& finished) {
    write(FinishedFields{static_cast<std::uint64_t>(std::max(finished.cpu, Duration::zero()).count()), finished.values,
                         finished.failure.substr(0, kFailureTextBytesMax)});
    return kFinished;
  }
};

Result<ExecutorMessage> decode_part(const SharedBytes& fields) {
  if (fields.empty() || fields.size() > kPlanPartBytesMax) {
    return broken(kPlanPart, fmt::format("{} bytes, 1 to {} are allowed", fields.size(), kPlanPartBytesMax));
  }
  return PlanPart{fields};
}

Result<ExecutorMessage> decode_plan_end(const SharedBytes& fields) {
  // The segment has its own encoding, so only the four numbers before it are read here.
  VarintReader reader(fields.view());
  const auto plan_bytes = reader.next();
  const auto backend = reader.next();
  const auto first = reader.next();
  const auto slots = reader.next();
  if (!plan_bytes || !backend || !first || !slots) return broken(kPlan, "ends too early");
  if (*plan_bytes > plan::kPlanBytesMax) return broken(kPlan, fmt::format("a plan of {} bytes", *plan_bytes));
  if (*backend > static_cast<std::uint64_t>(load::LoopBackend::kIoUring)) return broken(kPlan, "unknown event loop");
  Body numbers;
  append_varint(numbers, *plan_bytes);
  append_varint(numbers, *backend);
  append_varint(numbers, *first);
  append_varint(numbers, *slots);
  const auto segment = plan::decode_segment(fields.view().subspan(numbers.size()));
  if (!segment) return broken(kPlan, segment.error().context);
  if (*first > UINT32_MAX || *slots > UINT32_MAX) return broken(kPlan, "no numbers of a share");
  const plan::NumberSequence sequence{.first = static_cast<std::uint32_t>(*first),
                                      .step = segment->datacenters,
                                      .slots = static_cast<std::uint32_t>(*slots),
                                      .count = segment->count};
  if (!plan::belongs(*segment, sequence)) return broken(kPlan, "a segment of another share");
  return PlanEnd{*plan_bytes, *segment, sequence, static_cast<load::LoopBackend>(*backend)};
}

template <typename... Records>
Status read(std::string_view method, const SharedBytes& fields, Records&... records) {
  FieldReader reader(fields.view());
  describe<FieldReader>(reader, records...);
  reader.end();
  if (reader.failed()) return broken(method, reader.status().error().context);
  return {};
}

Result<ExecutorMessage> decode_start(const SharedBytes& fields) {
  StartFields start;
  if (const Status whole = read(kStart, fields, start); !whole) return fail(whole.error());
  return Start{MonoTime::from_ns(static_cast<std::int64_t>(start.at)), start.first_arrival, start.first_round,
               std::move(start.values)};
}

Result<ExecutorMessage> decode_change(const SharedBytes& fields) {
  plan::LoadChange change;
  std::uint64_t at = 0;
  if (const Status whole = read(kChange, fields, change.kind, change.value, at); !whole) return fail(whole.error());
  change.at = MonoTime::from_ns(static_cast<std::int64_t>(at));
  return Change{change};
}

Result<ExecutorMessage> decode_log(const SharedBytes& fields) {
  Log log;
  if (const Status whole = read(kLog, fields, log.level, log.text); !whole) return fail(whole.error());
  return log;
}

Result<ExecutorMessage> decode_finished(const SharedBytes& fields) {
  FinishedFields finished;
  if (const Status whole = read(kFinished, fields, finished); !whole) return fail(whole.error());
  return Finished{Duration(static_cast<std::int64_t>(finished.cpu)), std::move(finished.values),
                  std::move(finished.failure)};
}

Result<ExecutorMessage> decode_refused(const SharedBytes& fields) {
  if (fields.size() > kRefusalBytesMax) return broken(kRefused, fmt::format("{} bytes of text", fields.size()));
  return Refused{std::string(fields.text())};
}

}  // namespace

std::vector<std::uint8_t> encode_message(const ExecutorMessage& message) {
  Encoder encoder;
  const std::string_view method = std::visit(encoder, message);
  auto payload = wire::encode_request(method, encoder.body);
  CHECK(payload.has_value(), "method {}", method);
  return wire::encode_frame({.type = wire::FrameType::kRequest, .payload = std::move(*payload)});
}

Result<ExecutorMessage> decode_message(const wire::Frame& frame) {
  if (frame.type != wire::FrameType::kRequest) return broken(wire::name(frame.type), "not a request frame");
  const auto request = wire::parse_request(frame.payload);
  if (!request) return fail(request.error());
  const std::string_view method = request->method_name();
  if (request->body.empty()) return broken(method, "no version");
  if (const unsigned version = request->body.data()[0]; version != kExecutorProtocolVersion) {
    return broken(method, fmt::format("version {}, this side speaks {}", version, kExecutorProtocolVersion));
  }
  const SharedBytes fields = request->body.slice(1, request->body.size() - 1);
  if (method == kPlanPart) return decode_part(fields);
  if (method == kPlan) return decode_plan_end(fields);
  if (method == kStart) return decode_start(fields);
  if (method == kChange) return decode_change(fields);
  if (method == kRefused) return decode_refused(fields);
  if (method == kLog) return decode_log(fields);
  if (method == kFinished) return decode_finished(fields);
  if (method != kStop && method != kReady) return broken(method, "unknown");
  if (!fields.empty()) return broken(method, "carries something");
  return method == kStop ? ExecutorMessage(Stop{}) : ExecutorMessage(Ready{});
}

std::vector<std::uint8_t> encode_plan_parts(ByteView plan) {
  std::vector<std::uint8_t> frames;
  while (!plan.empty()) {
    const ByteView part = plan.first(std::min(plan.size(), kPlanPartBytesMax));
    const auto frame = encode_message(PlanPart{SharedBytes::copy_of(part)});
    frames.insert(frames.end(), frame.begin(), frame.end());
    plan = plan.subspan(part.size());
  }
  return frames;
}

Status PlanAssembly::add(const PlanPart& part) {
  if (bytes_.size() + part.bytes.size() > plan::kPlanBytesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("a plan has at most {} bytes", plan::kPlanBytesMax));
  }
  bytes_.insert(bytes_.end(), part.bytes.data(), part.bytes.data() + part.bytes.size());
  return {};
}

Result<plan::Plan> PlanAssembly::finish(const PlanEnd& end) {
  const std::vector<std::uint8_t> bytes = std::exchange(bytes_, {});
  if (bytes.size() != end.plan_bytes) {
    return fail(ErrorCode::kProtocol, fmt::format("{} bytes of a plan of {}", bytes.size(), end.plan_bytes));
  }
  return plan::decode_plan(bytes);
}

}  // namespace hyperscale::node
