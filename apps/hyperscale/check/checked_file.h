// CheckedFile: a workflow file and its schedule on a given number of cores, as text and as JSON. Pure; any thread.
#pragma once

#include "base/result.h"
#include "plan/job_schedule.h"
#include "workflow/description.h"

#include <cstdint>
#include <string>

namespace hyperscale::app {

struct CheckedFile {
  std::string file;
  std::uint32_t cores = 1;
  workflow::Description description;
  plan::JobSchedule schedule;  // workflows by their index in the description
};

Result<CheckedFile> checked_file(std::string file, workflow::Description description, std::uint32_t cores);

std::string checked_text(const CheckedFile& checked);
std::string checked_json(const CheckedFile& checked);

}  // namespace hyperscale::app
