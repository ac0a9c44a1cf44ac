// Progress between its values and its protobuf form; private to this folder.
//
// Pure functions; any thread. Reading and checking name the first field that is wrong.
#pragma once

#include "base/result.h"
#include "wire/progress.h"
#include "wire/proto/state_sync.pb.h"

#include <string>
#include <string_view>

namespace hyperscale::wire {

void write_workflow(const WorkflowProgress& from, proto::WorkflowProgress& to);
void write_job(const JobProgress& from, proto::JobProgress& to);
// Counts are checked before anything is allocated for them.
Result<WorkflowProgress> read_workflow(const proto::WorkflowProgress& from);
Result<JobProgress> read_job(const proto::JobProgress& from);

Status check_workflow(const WorkflowProgress& progress);
Status check_job(const JobProgress& progress);

// A required text of visible ASCII.
Status check_id(std::string_view field, std::string_view text, std::size_t bytes_max);
// Names come from users: anything but what could steer a terminal.
Status check_name(std::string_view field, std::string_view text);
Status check_count(std::string_view field, std::size_t count, std::size_t most);

template <typename State>
Status read_state(std::string_view field, const std::string& name, State& into) {
  const Result<State> state = parse_status<State>(name);
  if (!state) return fail(state.error().code, std::string(field) + ' ' + state.error().context);
  into = *state;
  return {};
}

}  // namespace hyperscale::wire
