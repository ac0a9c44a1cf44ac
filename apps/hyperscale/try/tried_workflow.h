// A workflow tried out: one user, one iteration, everything shown. try_job() runs all workflows of a job in their
// order, on this thread and in this process; setup, steps and teardown follow each other.
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
  std::vector<std::variant<load::TriedExchange, TriedLine>> events;  // in the order in which they ended
  results::Recorded result;                                          // of the one iteration
  std::string failure;                                               // of the setup or teardown

  bool good() const;
};

// Fails when the job cannot be run; what went wrong in it is in the list.
Result<std::vector<TriedWorkflow>> try_job(const plan::Job& job);

std::string tried_text(std::span<const TriedWorkflow> workflows, Glyphs glyphs);
std::string tried_json(std::span<const TriedWorkflow> workflows);

}  // namespace hyperscale::app
