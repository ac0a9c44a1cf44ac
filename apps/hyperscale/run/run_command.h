// `hyperscale run`: runs a job from options; writes its summary and files; returns its exit code (run_exit.h).
//
// Call on the main thread, before any other exists. An error is one line on standard error that starts with
// "hyperscale run: ".
#pragma once

#include "intake/run_options.h"

#include <string>

namespace hyperscale::app {

// Identifies the program in reports.
struct ProgramText {
  std::string version, commit, compiler;
};

int run_command(intake::RunOptions options, const ProgramText& program);

}  // namespace hyperscale::app
