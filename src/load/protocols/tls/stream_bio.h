// StreamBio: the bytes that OpenSSL reads and writes for one connection, without a memory BIO in between. Reads consume
// the span that the event loop delivered; writes append to a buffer that the transport sends.
//
// Not thread-safe. `input` is set during one callback. The buffer comes from the context when the first byte is written
// and is moved out when the transport sends it, so an idle connection holds none.
#pragma once

#include "base/bytes.h"
#include "load/protocols/tls/openssl_owner.h"
#include "load/protocols/tls/tls_context.h"

#include <cstdint>
#include <vector>

namespace hyperscale::load {

struct StreamBio {
  explicit StreamBio(TlsContext& owner) : context(owner) {}

  // Makes `ssl` read and write through this object, which outlives it.
  void attach(SSL* ssl);

  TlsContext& context;
  ByteView input;
  std::vector<std::uint8_t> output;
};

}  // namespace hyperscale::load
