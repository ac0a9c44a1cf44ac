// The same response as another parser reads it. Each peer has its own source file: their headers do not go together.
#pragma once

#include "base/bytes.h"
#include "load/protocols/http1/response_parser.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::load::fuzz {

struct PeerReading {
  bool accepted = false;
  int status = 0;
  bool keep_alive = false;
  std::size_t consumed = 0;
  std::string body;
  std::string error;  // the name of the peer's error code
};

PeerReading read_with_llhttp(ByteView stream, Expect expect);
PeerReading read_with_http_parser(ByteView stream, Expect expect);

}  // namespace hyperscale::load::fuzz
