#include "report/reporters/sample_rows.h"

#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/wall_time_text.h"
#include "results/outcome.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using stream::Sample;

constexpr Duration kTimeMax = 24h * 366;
constexpr std::string_view kHeader =
    "time,workflow,executor,step,outcome,status,duration_ms,service_ms,first_byte_ms,connect_ms,tls_ms,bytes_sent,"
    "bytes_received\n";

// The memory of an executor may hold any number.
std::string_view outcome_of(const Sample& sample) {
  return name(static_cast<results::Outcome>(std::min<std::size_t>(sample.outcome, results::kOutcomeCount - 1)));
}

std::string step_of(const SampleSource& source, const Sample& sample) {
  return sample.step < source.steps.size() ? source.steps[sample.step] : fmt::format("step {}", sample.step);
}

// RFC 4180, in UTF-8: a name may have been cut within a character.
std::string csv_field(std::string_view name) {
  std::string text = valid_utf8(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  return out + '"';
}

// The same for times.
Duration bounded(Duration time) {
  return std::clamp(time, Duration::zero(), kTimeMax);
}

WallTime ended_at(WallTime started, const SampleSource& source, const Sample& sample) {
  return started + (sample.ended < source.started ? Duration::zero() : bounded(sample.ended - source.started));
}

struct Phase {
  const char* name;
  Duration Sample::* time;
};
constexpr std::array<Phase, 5> kPhases{{{"duration_ms", &Sample::duration},
                                        {"service_ms", &Sample::service},
                                        {"first_byte_ms", &Sample::first_byte},
                                        {"connect_ms", &Sample::connect},
                                        {"tls_ms", &Sample::tls}}};

void append_csv(std::string& out, const SampleSource& source, const Sample& sample, WallTime ended) {
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", rfc3339_micros(ended), csv_field(source.workflow),
                 source.executor, csv_field(step_of(source, sample)), outcome_of(sample), sample.status);
  for (const Phase& phase : kPhases) {
    const Duration time = sample.*phase.time;
    out += ',';
    if (time == stream::kNoPhase) continue;
    const std::int64_t ns = bounded(time).count();
    fmt::format_to(std::back_inserter(out), "{}.{:06}", ns / 1'000'000, ns % 1'000'000);
  }
  fmt::format_to(std::back_inserter(out), ",{},{}\n", sample.bytes_sent, sample.bytes_received);
}

void append_json(std::string& out, const SampleSource& source, const Sample& sample, WallTime ended) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("time", rfc3339_micros(ended));
  json.field("workflow", source.workflow);
  json.field("executor", source.executor);
  json.field("step", step_of(source, sample));
  json.field("outcome", outcome_of(sample));
  json.field("status", sample.status);
  for (const Phase& phase : kPhases) {
    const Duration time = sample.*phase.time;
    if (time == stream::kNoPhase) continue;
    json.key(phase.name);
    json.milliseconds(bounded(time));
  }
  json.field("bytes_sent", sample.bytes_sent);
  json.field("bytes_received", sample.bytes_received);
  json.end_object();
  out += json.take();
}

}  // namespace

Result<std::unique_ptr<SampleRows>> SampleRows::open(const std::string& path) {
  auto file = LineFile::open(path);
  if (!file) return fail(file.error());
  const Layout layout = path.ends_with(".jsonl") ? Layout::kJson : Layout::kCsv;
  return std::unique_ptr<SampleRows>(new SampleRows(std::move(*file), layout));
}

Status SampleRows::begin(const results::RunFacts& facts) {
  started_ = facts.started;
  if (Status begun = file_.begin(); !begun) return begun;
  return layout_ == Layout::kCsv ? file_.append(kHeader) : Status();
}

Status SampleRows::samples(const SampleSpan& span) {
  rows_.clear();
  const SampleSource& source = *span.source;
  for (const Sample& sample : span.samples) {
    const WallTime ended = ended_at(started_, source, sample);
    if (layout_ == Layout::kCsv) {
      append_csv(rows_, source, sample, ended);
    } else {
      append_json(rows_, source, sample, ended);
    }
  }
  return file_.append(rows_);
}

}  // namespace hyperscale::report
