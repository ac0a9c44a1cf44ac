// JobWorkflows: the workflows of a run and their order. Returns the next stage, failed dependencies, values passed
// between workflows, and sums over all workflows; JobMachine steps each of them.
//
// Pure; times are passed in. One thread.
#pragma once

#include "base/time.h"
#include "jobs/job_events.h"
#include "jobs/sequence_machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::jobs {

class JobWorkflows {
 public:
  JobWorkflows(std::vector<SequenceSetup> workflows, std::vector<std::vector<std::size_t>> stages);

  std::size_t size() const { return all_.size(); }
  SequenceMachine& operator[](std::size_t index) { return all_[index]; }
  const SequenceMachine& operator[](std::size_t index) const { return all_[index]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  const SequenceMachine* find(std::string_view name) const;
  std::vector<std::string> names() const;

  // The workflows of the next stage, each stage once; empty: no stage is left.
  std::vector<std::size_t> take_stage();
  // Name of a dependency of `workflow` that has not completed; nullptr: it may run.
  const std::string* failed_dependency(std::size_t workflow) const;
  // Values that completed workflows provide to `workflow`.
  std::vector<plan::SharedValue> values_for(std::size_t workflow) const;

  bool all_done() const;
  bool stage_over() const;  // all started workflows are done
  // True if at least one workflow runs and all running ones are paused.
  bool paused() const;
  bool scripted() const;
  MonoTime counted_from(MonoTime now) const;
  MonoTime next_deadline() const;
  // The longest graceful stop of the running workflows.
  Duration graceful_stop() const;
  // Zero if a workflow is bounded by a count only. Excludes pauses.
  Duration planned_duration() const;
  std::uint64_t planned_iterations() const;

 private:
  std::vector<SequenceMachine> all_;
  std::vector<std::vector<std::size_t>> stages_;
  std::size_t next_stage_ = 0;
};

}  // namespace hyperscale::jobs
