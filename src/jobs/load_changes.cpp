#include "jobs/load_changes.h"

#include "base/number_text.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

tl::unexpected<Error> unknown(std::string_view why, const JobWorkflows& workflows) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}; say --workflow with one of {}", why, fmt::join(workflows.names(), ", ")));
}

Status can_follow(const SequenceMachine& workflow, const plan::LoadCommand& command, const UsersFit& users_fit) {
  if (Status possible = workflow.can_change(command); !possible) return possible;
  if (command.kind != plan::LoadChangeKind::kUsers || !users_fit) return {};
  return users_fit(static_cast<std::uint32_t>(command.value),
                   static_cast<std::uint32_t>(workflow.setup().segments.size()));
}

}  // namespace

Result<std::vector<std::size_t>> LoadChanges::meant_by(const plan::LoadRequest& asked, const JobWorkflows& workflows,
                                                       const UsersFit& users_fit) {
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < workflows.size(); ++i) {
    const SequenceMachine& each = workflows[i];
    const bool is_meant = asked.workflow.empty() ? workflows.size() == 1 || (each.begun() && !each.done())
                                                 : each.name() == asked.workflow;
    if (is_meant) meant.push_back(i);
  }
  const bool one =
      asked.command.kind == plan::LoadChangeKind::kUsers || asked.command.kind == plan::LoadChangeKind::kRate;
  if (meant.empty()) return unknown("no such workflow is under way", workflows);
  if (meant.size() > 1 && one) return unknown("several workflows are under way", workflows);
  std::vector<std::size_t> able;
  Status last;
  for (const std::size_t each : meant) {
    if (Status possible = can_follow(workflows[each], asked.command, users_fit); possible) {
      able.push_back(each);
    } else {
      last = std::move(possible);
    }
  }
  if (able.empty()) return fail(last.error());
  return able;
}

Result<std::size_t> LoadChanges::to_stop(std::string_view workflow, const JobWorkflows& workflows) {
  for (std::size_t i = 0; i < workflows.size(); ++i) {
    if (workflows[i].name() != workflow) continue;
    const auto refuse = [&](std::string_view why) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", workflow, why));
    };
    if (!workflows[i].begun()) return refuse("it has not begun yet");
    if (workflows[i].done()) return refuse("it has ended");
    return i;
  }
  return unknown("there is no such workflow", workflows);
}

Status LoadChanges::has_room(plan::LoadChangeKind kind, std::size_t workflows) const {
  if (kind == plan::LoadChangeKind::kResume || records_.size() + workflows <= results::kChangesMax) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("a run takes at most {} changes; it can still be resumed and stopped",
                          count_text(results::kChangesMax)));
}

void LoadChanges::record(Duration at, std::string what, std::string workflow) {
  if (records_.size() < results::kChangesMax) records_.push_back({at, std::move(what), std::move(workflow)});
}

}  // namespace hyperscale::jobs
