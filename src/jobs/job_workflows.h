// JobWorkflows: the workflows of a run and the order in which they may begin. Which stage is next, which of its
// workflows can run, what they are given, and sums over all of them; JobMachine lets them step.
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

// Executors of a workflow that may have this many cores: no more than users.
std::uint32_t executors_for(std::size_t cores, std::uint32_t vus);

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

  // The workflows of the next stage, once each; empty: there is none.
  std::vector<std::size_t> take_stage();
  // Name of a workflow on which that one depends and which has not completed; nullptr: it may run.
  const std::string* failed_dependency(std::size_t workflow) const;
  // What completed workflows give to that one.
  std::vector<plan::SharedValue> values_for(std::size_t workflow) const;

  bool all_done() const;
  bool stage_over() const;  // whatever was started is done
  // True if at least one workflow is under way and all that are under way are paused.
  bool paused() const;
  bool scripted() const;
  MonoTime counted_from(MonoTime now) const;
  MonoTime next_deadline() const;
  // The longest graceful stop of what is under way.
  Duration graceful_stop() const;
  // Zero without one: a count has no duration. Pauses are not part of it.
  Duration planned_duration() const;
  std::uint64_t planned_iterations() const;

 private:
  std::vector<SequenceMachine> all_;
  std::vector<std::vector<std::size_t>> stages_;
  std::size_t next_stage_ = 0;
};

}  // namespace hyperscale::jobs
