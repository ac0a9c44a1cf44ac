#include "jobs/states/state_history.h"

#include "base/utf8.h"

namespace hyperscale::jobs {

std::string bounded_reason(std::string_view reason) {
  if (reason.size() <= kStateReasonBytesMax) return std::string(reason);
  std::size_t bytes = 0;
  for (;;) {
    const std::size_t next = bytes + first_char(reason.substr(bytes)).bytes;
    if (next > kStateReasonBytesMax) return std::string(reason.substr(0, bytes));
    bytes = next;
  }
}

}  // namespace hyperscale::jobs
