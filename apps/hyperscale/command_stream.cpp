#include "apps/hyperscale/stream/stream_commands.h"
#include "command.h"

#include <map>
#include <memory>
#include <string>

namespace hyperscale::app {
namespace {

constexpr const char* kBaseHelp = "Folder that streams lie in [HYPERSCALE_SHM_BASE_DIR or /dev/shm]";

Run add_list(Command stream) {
  Command command = stream.add_subcommand("ls", "Streams of this user: epochs, sizes, ages, leases");
  auto options = std::make_shared<StreamListOptions>();
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--json", options->json, "As JSON, with every lease and the counters of drivers");
  return [options] { return stream_list_command(*options); };
}

Run add_collect(Command stream) {
  Command command = stream.add_subcommand("gc", "Remove what runs that were killed have left in shared memory");
  auto options = std::make_shared<StreamCollectOptions>();
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--yes,--now", options->remove,
                    "Do it; without this it is only told what would go, and why others stay");
  command->add_flag("--json", options->json, "As JSON");
  command->footer(R"(An epoch goes when its run is dead, its executor is dead, and it was not active for three seconds.

Examples:
  hyperscale stream gc            what would be removed
  hyperscale stream gc --yes      remove it)");
  return [options] { return stream_collect_command(*options); };
}

Run add_tail(Command stream) {
  Command command = stream.add_subcommand("tail", "Print the samples of a run as they come");
  auto options = std::make_shared<StreamTailOptions>();
  command->add_option("RUN", options->run, "Run id [the newest run]")->type_name("");
  command->add_option("--stream", options->stream, "Only this executor's [all]")
      ->check(whole_number(0, UINT32_MAX))
      ->type_name("N");
  command->add_option("--limit", options->limit, "End after so many samples [when the run ends]")
      ->check(whole_number(1, INT64_MAX))
      ->type_name("N");
  command->add_flag("--from-start", options->from_start, "Begin with the oldest that are still there");
  command->add_option("--base-dir", options->base, kBaseHelp)->type_name("FOLDER");
  command->add_flag("--json", options->json, "One JSON object per line");
  command->footer(
      R"(Samples are overwritten without waiting for those who read them: how many were missed is told at the end. The figures of
the run miss none.

Examples:
  hyperscale stream tail
  hyperscale stream tail --json --limit 1000 | jq .duration_ns)");
  return [options] { return stream_tail_command(*options); };
}

}  // namespace

Run add_stream_command(Command program) {
  Command command = program.add_subcommand("stream", "Look at the shared memory that samples travel through");
  command->require_subcommand(1);
  std::map<std::string, Run> actions;
  actions["ls"] = add_list(command);
  actions["gc"] = add_collect(command);
  actions["tail"] = add_tail(command);
  return [command, actions] { return actions.at(command->chosen())(); };
}

}  // namespace hyperscale::app
