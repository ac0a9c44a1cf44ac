// PreparedRaw: the Prepared of raw TCP, TLS and UDP: the bytes as they are sent, and where the answer ends.
#pragma once

#include "base/result.h"
#include "load/protocols/prepared.h"
#include "load/protocols/raw/answer_end.h"

#include <string>

namespace hyperscale::load {

struct PreparedRaw final : Prepared {
  explicit PreparedRaw(Protocol of) : Prepared(of) {}

  std::string bytes;
  AnswerEnd end;
};

// Fails with kInvalidArgument and one sentence when the request cannot be sent. REQUIRES: the URL is a raw one.
Result<PreparedRaw> prepare_raw(const plan::Request& request, bool wants_body);

}  // namespace hyperscale::load
