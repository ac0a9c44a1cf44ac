// BuildInfoText: the program and machine of a report, as text. Plain value; empty fields are left out of reports.
#pragma once

#include <string>

namespace hyperscale::report {

struct BuildInfoText {
  std::string version;   // "0.2.0"
  std::string commit;    // "0f4c37b"
  std::string compiler;  // "clang 19.1.7"
  std::string machine;   // "8 cores, Linux 6.1"; what the load was generated on
};

}  // namespace hyperscale::report
