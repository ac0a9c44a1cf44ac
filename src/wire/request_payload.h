// The payload of a request frame: one byte that counts the method name, the name, then the body to the end.
//
// Pure functions; any thread. A parsed request shares the buffer of the payload; nothing is copied.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/limits.h"

#include <string_view>

namespace hyperscale::wire {

struct RequestPayload {
  SharedBytes method;
  SharedBytes body;

  std::string_view method_name() const { return method.text(); }
};

// A method name is 1 to kMethodNameBytesMax visible ASCII characters, so that it can be logged as it is.
bool method_name_valid(std::string_view method);
// Fails with kInvalidArgument on a bad method name.
Result<SharedBytes> encode_request(std::string_view method, ByteView body);
// Fails with kProtocol; the connection stays in sync, so the sender can get an error frame.
Result<RequestPayload> parse_request(const SharedBytes& payload);

}  // namespace hyperscale::wire
