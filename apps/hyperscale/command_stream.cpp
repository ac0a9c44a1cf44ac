#include "apps/hyperscale/stream/stream_commands.h"
#include "command.h"

#include <map>
#include <memory>
#include <string>

namespace hyperscale::app {
namespace {

constexpr const char* kBaseHelp = "Base folder of the streams [HYPERSCALE_SHM_BASE_DIR or /dev/shm]";

Run add_list(Command stream) {
  Command command = stream.add_subcommand("ls", "List the streams of this user: epochs, sizes, ages, leases");
  auto options = std::make_shared<StreamListOptions>();
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print JSON, with all leases and the counters of drivers");
  return [options] { return stream_list_command(*options); };
}

Run add_collect(Command stream) {
  Command command = stream.add_subcommand("gc", "Remove the shared memory of killed runs");
  auto options = std::make_shared<StreamCollectOptions>();
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--yes,--now", options->remove,
                    "Remove it; without this flag only list what would be removed, and why the rest stays");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(R"(An epoch is removed if its run and its executor are dead and it was inactive for three seconds.

Examples:
  hyperscale stream gc            what would be removed
  hyperscale stream gc --yes      remove it)");
  return [options] { return stream_collect_command(*options); };
}

Run add_tail(Command stream) {
  Command command = stream.add_subcommand("tail", "Print the samples of a run as they arrive");
  auto options = std::make_shared<StreamTailOptions>();
  command->add_option("RUN", options->run, "Run id [the newest run]")->type_name("");
  command->add_option("--stream", options->stream, "Only the stream of this executor [all]")
      ->check(whole_number(0, UINT32_MAX))
      ->type_name("N");
  command->add_option("--limit", options->limit, "Stop after this many samples [at the end of the run]")
      ->check(whole_number(1, INT64_MAX))
      ->type_name("N");
  command->add_flag("--from-start", options->from_start, "Begin with the oldest samples that are still in memory");
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print one JSON object per line");
  command->footer(
      R"(Executors overwrite samples without waiting for readers; the number of missed samples is printed at the end.
The figures of the run include all samples.

Examples:
  hyperscale stream tail
  hyperscale stream tail --json --limit 1000 | jq .duration_ns)");
  return [options] { return stream_tail_command(*options); };
}

}  // namespace

Run add_stream_command(Command program) {
  Command command = program.add_subcommand("stream", "Inspect the shared memory that carries samples");
  command->require_subcommand(1);
  std::map<std::string, Run> actions;
  actions["ls"] = add_list(command);
  actions["gc"] = add_collect(command);
  actions["tail"] = add_tail(command);
  return [command, actions] { return actions.at(command->chosen())(); };
}

}  // namespace hyperscale::app
