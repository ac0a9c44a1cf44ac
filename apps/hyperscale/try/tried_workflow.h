// One trial of a workflow: one user, one iteration, every exchange recorded. try_job() runs all workflows of a job in
// their order, on this thread and in this process; setup, steps and teardown run one after the other.
#pragma once

#include "base/glyphs.h"
#include "base/result.h"
#include "load/step_script.h"
#include "load/tried_exchange.h"
#include "plan/job.h"
#include "results/run_result.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::app {

struct TriedLine {
  load::LogLevel level = load::LogLevel::kInfo;
  std::string text;
};

struct TriedWorkflow {
  std::string name;
  std::vector<std::variant<load::TriedExchange, TriedLine>> events;  // in the order of their end
  results::Recorded result;                                          // of the one iteration
  std::string failure;                                               // of the setup or teardown

  bool good() const;
};

// Fails if the job cannot be run; failures inside it are in the list.
Result<std::vector<TriedWorkflow>> try_job(const plan::Job& job);

std::string tried_text(std::span<const TriedWorkflow> workflows, Glyphs glyphs);
std::string tried_json(std::span<const TriedWorkflow> workflows);

}  // namespace hyperscale::app
