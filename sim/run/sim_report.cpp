#include "sim/run/sim_report.h"

#include "base/append_format.h"
#include "base/number_text.h"

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

double seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;
}

// As JSON. Texts of ours are ASCII.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      append_format(out, "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// Of one core, whatever the number of threads.
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
  std::string text = "{\n";
  append_format(text, "  \"scenario\": {},\n", quoted(options.scenario.empty() ? "swarm" : options.scenario));
  if (!options.mutate.empty()) append_format(text, "  \"mutate\": {},\n", quoted(options.mutate));
  append_format(text, "  \"seeds\": {}, \"done\": {}, \"failed\": {}, \"stopped\": {},\n", seeds, done.done,
                done.failed, result.stopped);
  append_format(text, "  \"virtual_s\": {:.3f}, \"real_s\": {:.3f}, \"virtual_s_per_core_s\": {:.1f},\n",
                seconds(done.virtual_time), seconds(done.real_time), speed(done));
  append_format(text, "  \"steps\": {}, \"packets\": {}, \"faults\": {},\n", done.steps, done.packets, done.faults);
  text += "  \"failures\": [";
  for (const FailedSeed& failure : result.failures) {
    append_format(text,
                  "{}\n    {{\"seed\": {}, \"checker\": {}, \"found\": {}, \"at_s\": {:.6f}, \"trace\": \"{:016x}\", "
                  "\"replay\": {}}}",
                  &failure == result.failures.data() ? "" : ",", failure.seed, quoted(failure.violation.checker),
                  quoted(failure.violation.what), seconds(failure.violation.at - SimTime()), failure.trace_hash,
                  quoted(replay_command(options, failure.seed)));
  }
  return text + (result.failures.empty() ? "]\n}" : "\n  ]\n}");
}

std::string scale_json(const std::vector<ScaleRow>& rows) {
  std::string text = "[";
  for (const ScaleRow& row : rows) {
    append_format(text,
                  "{}\n  {{\"nodes\": {}, \"deaths\": {}, \"joined_after_s\": {:.3f}, \"first_knows_s\": {:.6f}, "
                  "\"all_know_s\": {:.6f}, ",
                  &row == rows.data() ? "" : ",", row.nodes, row.deaths, seconds(row.joined_after),
                  seconds(row.first_knows), seconds(row.all_know));
    append_format(text,
                  "\"all_know_worst_s\": {:.6f}, \"bytes_per_node_second\": {:.1f}, \"packets_per_node_second\": "
                  "{:.2f}, \"problem\": {}}}",
                  seconds(row.all_know_worst), row.bytes_per_node_second, row.packets_per_node_second,
                  row.problem ? quoted(*row.problem) : "null");
  }
  return text + "\n]";
}

}  // namespace hyperscale::sim
