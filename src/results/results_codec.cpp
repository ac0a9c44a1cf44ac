#include "results/results_codec.h"

#include "base/sealed_record.h"
#include "results/recorded_fields.h"

namespace hyperscale::results {
namespace {

constexpr Seal kResultSeal{
    .what = "result", .magic = {'H', 'S', 'R', 'R'}, .version = kResultFormatVersion, .bytes_max = kResultBytesMax};

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<WorkflowReport> workflow) {
  fields.text("workflow name", workflow.name, kResultTextBytesMax);
  fields.choice("workflow end", workflow.end, WorkflowEnd::kNotRun);
  fields.text("workflow message", workflow.message, kResultTextBytesMax);
  fields.text("workflow load", workflow.load_description, kResultTextBytesMax);
  fields.number("workflow layer", workflow.layer, UINT32_MAX);
  fields.number("workflow cores", workflow.cores, UINT32_MAX);
  fields.duration("workflow begin", workflow.begin);
  fields.duration("workflow elapsed", workflow.elapsed);
  fields.duration("workflow wall", workflow.wall);
  fields.number("workflow iterations", workflow.iterations, UINT64_MAX);
  fields.number("workflow iterations failed", workflow.iterations_failed, UINT64_MAX);
  fields.number("workflow iterations cut", workflow.iterations_cut, UINT64_MAX);
  fields.number("workflow dropped", workflow.dropped, UINT64_MAX);
  fields.number("workflow requests", workflow.requests, UINT64_MAX);
  fields.number("workflow redirected", workflow.redirected, UINT64_MAX);
  fields.number("workflow errors", workflow.errors, UINT64_MAX);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<RunFacts> facts) {
  fields.text("run id", facts.run_id, kResultTextBytesMax);
  fields.text("name", facts.name, kResultTextBytesMax);
  describe_tags<Fields>(fields, facts.tags);
  fields.text("target", facts.target, kResultTextBytesMax);
  fields.text("protocol", facts.protocol, kResultTextBytesMax);
  fields.text("load", facts.load_description, kResultTextBytesMax);
  fields.number("seed", facts.seed, UINT64_MAX);
  std::int64_t started_ns = facts.started.ns();
  fields.signed_number("started", started_ns);
  if constexpr (Fields::kReads) facts.started = WallTime::from_ns(started_ns);
  fields.duration("planned", facts.planned);
  fields.flag("open loop", facts.open_loop);
  fields.real("asked rate", facts.asked_rate_per_s, kRealMax);
  fields.list("workflows", facts.workflows, kResultWorkflowsMax,
              [&](auto& workflow) { describe<Fields>(fields, workflow); });
  fields.list("changes", facts.changes, kChangesMax, [&](auto& change) {
    fields.duration("change time", change.at);
    fields.text("change", change.what, kResultTextBytesMax);
    fields.text("changed workflow", change.workflow, kResultTextBytesMax);
  });
  fields.flag("interrupted", facts.interrupted);
}

}  // namespace

Result<std::vector<std::uint8_t>> encode(const RunResult& result) {
  std::vector<std::uint8_t> bytes = begin_seal(kResultSeal);
  FieldWriter writer(bytes);
  describe<FieldWriter>(writer, static_cast<const RunFacts&>(result));
  describe<FieldWriter>(writer, static_cast<const Recorded&>(result));
  if (writer.failed()) return fail(writer.status().error());
  end_seal(bytes);
  if (bytes.size() > kResultBytesMax || recorded_values(result) > kHistogramCountMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a result of {} bytes and {} values is too large", bytes.size(), recorded_values(result)));
  }
  return bytes;
}

Result<RunResult> decode_result(ByteView bytes) {
  const Result<ByteView> content = open_seal(kResultSeal, bytes);
  if (!content) return fail(content.error());
  FieldReader reader(*content);
  RunResult result;
  describe<FieldReader>(reader, static_cast<RunFacts&>(result));
  describe<FieldReader>(reader, static_cast<Recorded&>(result));
  reader.end();
  if (reader.failed()) {
    return fail(ErrorCode::kProtocol, fmt::format("result bytes: {}", reader.status().error().context));
  }
  if (recorded_values(result) > kHistogramCountMax) return fail(ErrorCode::kProtocol, "result bytes: too many values");
  return result;
}

}  // namespace hyperscale::results
