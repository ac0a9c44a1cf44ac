// RunScript: one recorded run as text: its workflows, what happened to it and when, and what the runner did about it.
// The files are in test/unit/jobs/scripts; their README.md has the format.
//
// Plain values; any thread. A text that is not a script fails a CHECK: scripts are part of the tests.
#pragma once

#include "base/time.h"
#include "plan/job.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::jobs {

// One executor of a workflow: of its steps by number, or that of its setup or teardown.
struct ScriptTarget {
  std::string workflow;
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  std::uint32_t executor = 0;
  bool operator==(const ScriptTarget&) const = default;
};
std::string text_of(const ScriptTarget& target);  // "Shop/0", "Shop/setup"

struct ScriptEvent {
  Duration at{};
  std::string verb;
  std::string target;                         // the first word after the verb; empty: none
  std::string rest;                           // what comes after it
  std::map<std::string, std::string> fields;  // those words of the rest that are KEY=VALUE
};
ScriptTarget target_of(const ScriptEvent& event);

struct RunScript {
  std::string name;
  std::string path;
  std::string comment;
  std::uint32_t pool = 1;  // executors of the run
  Duration limit{};        // of the run; zero: none
  std::string threshold;   // that aborts it; empty: none
  std::vector<plan::Workflow> workflows;
  std::vector<ScriptEvent> events;
  std::vector<std::string> recorded;
};

// All scripts of the folder and those below it, by name.
std::vector<RunScript> read_run_scripts();
// What is in front of the recorded lines, so that a recording can be written again.
std::string head_of(const RunScript& script);

// "12.500" for twelve and a half milliseconds.
std::string ms_text(Duration time);
// How a recorded line writes the values of a start.
std::string text_of(const std::vector<plan::SharedValue>& values);

}  // namespace hyperscale::jobs
