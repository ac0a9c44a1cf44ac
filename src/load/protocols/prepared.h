// Prepared: a call encoded once, before the loop (HOOK-ARG-1, HOOK-ARG-2). Holds what calls of all protocols have; each
// protocol derives its own type with the bytes that it sends.
//
// Immutable once a client has it, and shared by all virtual users; starting it encodes nothing.
#pragma once

#include "base/time.h"
#include "plan/plan.h"
#include "plan/protocol.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hyperscale::load {

using plan::Protocol;

struct Prepared {
  explicit Prepared(Protocol of) : protocol(of) {}
  virtual ~Prepared() = default;

  // Keeps headers and body of its answers, also after redirects. REQUIRES: no client has it.
  virtual void want_all() { wants_headers = wants_body = true; }

  Protocol protocol;     // of the client that can start it
  bool lasting = false;  // outlives every connection; false for a call of a single exchange
  bool wants_headers = false;
  bool wants_body = false;
  // Where to connect.
  bool secure = false;
  std::uint16_t port = 0;
  std::string host;                             // lower case, no brackets
  Duration timeout{};                           // from start to last byte; zero: the plan's
  std::shared_ptr<const plan::Request> source;  // the request that it encodes

 protected:
  Prepared(const Prepared&) = default;
  Prepared(Prepared&&) = default;
  Prepared& operator=(const Prepared&) = default;
  Prepared& operator=(Prepared&&) = default;
};

}  // namespace hyperscale::load
