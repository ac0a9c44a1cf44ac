// The head of an HTTP/1.1 answer as bytes. Pure; appends, and allocates only when `out` grows.
#pragma once

#include "target/answer.h"

#include <string>

namespace hyperscale::target {

struct Http1Framing {
  int minor_version = 1;
  bool keep_alive = true;
  bool chunked = false;
};

void append_http1_head(std::string& out, const Answer& answer, Http1Framing framing);
// A whole answer to a request that could not be read; the connection ends after it.
void append_http1_refusal(std::string& out, std::uint16_t status, std::string_view why);

}  // namespace hyperscale::target
