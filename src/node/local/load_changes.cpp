#include "node/local/load_changes.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {

Result<std::vector<WorkflowRun*>> LoadChanges::meant_by(const plan::LoadRequest& asked) const {
  std::vector<WorkflowRun*> found;
  for (const auto& run : runs_) {
    const bool meant =
        asked.workflow.empty() ? runs_.size() == 1 || (run->begun() && !run->done()) : run->name() == asked.workflow;
    if (meant) found.push_back(run.get());
  }
  const bool one =
      asked.command.kind == plan::LoadChangeKind::kUsers || asked.command.kind == plan::LoadChangeKind::kRate;
  if (found.size() == 1 || (!found.empty() && !one)) return found;
  return unknown(found.empty() ? "no such workflow is under way" : "several workflows are under way");
}

tl::unexpected<Error> LoadChanges::unknown(std::string_view why) const {
  std::vector<std::string> names;
  for (const auto& run : runs_) names.push_back(run->name());
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}; say --workflow with one of {}", why, fmt::join(names, ", ")));
}

Status LoadChanges::apply(const plan::LoadRequest& asked, MonoTime now, Duration at) {
  auto meant = meant_by(asked);
  if (!meant) return fail(meant.error());
  bool any = false;
  Status last;
  for (WorkflowRun* run : *meant) {
    last = run->change(asked.command, now);
    if (!last) continue;
    any = true;
    record(at, plan::text_of(asked.command), *run);
  }
  return any ? Status() : last;
}

Status LoadChanges::stop(std::string_view workflow, Duration at) {
  const auto run = std::ranges::find_if(runs_, [&](const auto& each) { return each->name() == workflow; });
  if (run == runs_.end()) return unknown("there is no such workflow");
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", workflow, why));
  };
  if (!(*run)->begun()) return refuse("it has not begun yet");
  if ((*run)->done()) return refuse("it has ended");
  (*run)->stop();
  record(at, "stop", **run);
  return {};
}

void LoadChanges::record(Duration at, std::string what, const WorkflowRun& run) {
  if (records_.size() < results::kChangesMax)
    records_.push_back({at, std::move(what), runs_.size() == 1 ? "" : run.name()});
}

std::string LoadChanges::shortfall(const plan::LoadRequest& asked) const {
  const auto meant = meant_by(asked);
  return meant && meant->size() == 1 ? meant->front()->shortfall(asked.command) : "";
}

}  // namespace hyperscale::node
