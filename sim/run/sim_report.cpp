#include "sim/run/sim_report.h"

#include "base/append_format.h"
#include "base/duration_text.h"
#include "base/json_writer.h"
#include "base/number_text.h"

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

void write_fixed(JsonWriter& json, std::string_view name, double number, int digits) {
  json.key(name);
  json.fixed(number, digits);
}

// Per CPU core, independent of the number of threads.
double speed(const CampaignProgress& progress) {
  return progress.cpu_time > Duration(0) ? seconds(progress.virtual_time) / seconds(progress.cpu_time) : 0;
}

}  // namespace

std::string virtual_time_text(SimTime at) {
  const std::int64_t us = at.ns() / 1'000;
  const std::int64_t minutes = us / 60'000'000;
  const std::string rest = fmt::format("{:02}.{:06}s", us / 1'000'000 % 60, us % 1'000'000);
  return fmt::format("{}m{}", minutes, rest);
}

std::string progress_text(const CampaignProgress& progress, std::uint64_t seeds) {
  std::string text =
      fmt::format("{} of {} seeds, {} failed", count_text(progress.done), count_text(seeds), progress.failed);
  if (progress.cpu_time > Duration(0))
    append_format(text, ", {} virtual s/s", count_text(static_cast<std::uint64_t>(speed(progress))));
  if (progress.done > 0 && progress.done < seeds) {
    const double left =
        seconds(progress.real_time) / static_cast<double>(progress.done) * static_cast<double>(seeds - progress.done);
    append_format(text, ", {} left", elapsed_text(Duration(static_cast<std::int64_t>(left)) * 1'000'000'000));
  }
  return text;
}

std::string failure_text(const SimOptions& options, const FailedSeed& failure) {
  return fmt::format("sim: seed {} FAILED at {}\n  checker  {}\n  found    {}\n  trace    {:016x}\n  replay   {}\n",
                     failure.seed, virtual_time_text(failure.violation.at), failure.violation.checker,
                     failure.violation.what, failure.trace_hash, replay_command(options, failure.seed));
}

std::string summary_text(const SimOptions& options, const CampaignResult& result, std::uint64_t seeds) {
  std::string text;
  for (const FailedSeed& failure : result.failures) text += failure_text(options, failure);
  const CampaignProgress& done = result.progress;
  append_format(text, "sim: {} of {} seeds{}, {} failed{}\n", count_text(done.done), count_text(seeds),
                options.once || options.trace ? "" : ", each twice", done.failed, result.stopped ? "; stopped" : "");
  append_format(text, "  {} of virtual time in {} ({} virtual s/s on one core), {} steps, {} packets, {} faults\n",
                elapsed_text(done.virtual_time), elapsed_text(done.real_time),
                count_text(static_cast<std::uint64_t>(speed(done))), count_text(done.steps), count_text(done.packets),
                count_text(done.faults));
  return text;
}

std::string summary_json(const SimOptions& options, const CampaignResult& result, std::uint64_t seeds) {
  const CampaignProgress& done = result.progress;
  JsonWriter json;
  json.begin_object();
  json.field("scenario", options.scenario.empty() ? "swarm" : options.scenario);
  if (!options.mutate.empty()) json.field("mutate", options.mutate);
  json.field("seeds", seeds);
  json.field("done", done.done);
  json.field("failed", done.failed);
  json.field("stopped", result.stopped);
  write_fixed(json, "virtual_s", seconds(done.virtual_time), 3);
  write_fixed(json, "real_s", seconds(done.real_time), 3);
  write_fixed(json, "virtual_s_per_core_s", speed(done), 1);
  json.field("steps", done.steps);
  json.field("packets", done.packets);
  json.field("faults", done.faults);
  json.key("failures");
  json.begin_array();
  for (const FailedSeed& failure : result.failures) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("seed", failure.seed);
    json.field("checker", failure.violation.checker);
    json.field("found", failure.violation.what);
    write_fixed(json, "at_s", seconds(failure.violation.at - SimTime()), 6);
    json.field("trace", fmt::format("{:016x}", failure.trace_hash));
    json.field("replay", replay_command(options, failure.seed));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take_text();
}

std::string scale_json(const std::vector<ScaleRow>& rows) {
  JsonWriter json;
  json.begin_array();
  for (const ScaleRow& row : rows) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("nodes", row.nodes);
    json.field("deaths", row.deaths);
    write_fixed(json, "joined_after_s", seconds(row.joined_after), 3);
    write_fixed(json, "first_knows_s", seconds(row.first_knows), 6);
    write_fixed(json, "all_know_s", seconds(row.all_know), 6);
    write_fixed(json, "all_know_worst_s", seconds(row.all_know_worst), 6);
    write_fixed(json, "bytes_per_node_second", row.bytes_per_node_second, 1);
    write_fixed(json, "packets_per_node_second", row.packets_per_node_second, 2);
    json.key("problem");
    row.problem ? json.value(*row.problem) : json.null();
    json.end_object();
  }
  json.end_array();
  return json.take_text();
}

}  // namespace hyperscale::sim
