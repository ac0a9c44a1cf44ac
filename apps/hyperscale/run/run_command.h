// `hyperscale run`: from options to a run, its summary, its files and its exit code (run_exit.h).
//
// Call on the main thread, before any other exists. Everything that is wrong is one line on standard error that starts
// with "hyperscale run: ".
#pragma once

#include "intake/run_options.h"

#include <string>

namespace hyperscale::app {

// What reports say about the program that made them.
struct ProgramText {
  std::string version, commit, compiler;
};

int run_command(intake::RunOptions options, const ProgramText& program);

}  // namespace hyperscale::app
