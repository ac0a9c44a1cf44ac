// Checks the names in a description: finds steps, workflows, checks and thresholds that do not exist, that belong to
// another workflow, or that form a circle. Sets the layers if there is no fault. Pure; any thread.
#pragma once

#include "workflow/description.h"

#include <string>
#include <vector>

namespace hyperscale::workflow {

// `member` is the field at fault, `mark` the text inside it; both may be empty.
struct NameFault {
  std::size_t workflow = 0;
  std::string member;
  std::string mark;
  std::string message;
};

std::vector<NameFault> check_names(Description& description);

}  // namespace hyperscale::workflow
