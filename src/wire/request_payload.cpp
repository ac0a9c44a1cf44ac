#include "wire/request_payload.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::wire {

bool method_name_valid(std::string_view method) {
  return !method.empty() && method.size() <= kMethodNameBytesMax &&
         std::ranges::all_of(method, [](char c) { return c > ' ' && c <= '~'; });
}

Result<SharedBytes> encode_request(std::string_view method, ByteView body) {
  if (!method_name_valid(method)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a method name is 1 to {} visible ASCII characters; this one has {}", kMethodNameBytesMax,
                            method.size()));
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(1 + method.size() + body.size());
  bytes.push_back(static_cast<std::uint8_t>(method.size()));
  bytes.insert(bytes.end(), method.begin(), method.end());
  bytes.insert(bytes.end(), body.begin(), body.end());
  return SharedBytes::adopt(std::move(bytes));
}

Result<RequestPayload> parse_request(const SharedBytes& payload) {
  if (payload.empty()) return fail(ErrorCode::kProtocol, "a request without a method");
  const std::size_t method_bytes = payload.data()[0];
  const std::size_t body_at = 1 + method_bytes;
  if (payload.size() < body_at) {
    return fail(ErrorCode::kProtocol,
                fmt::format("a method name of {} bytes in a request of {}", method_bytes, payload.size()));
  }
  RequestPayload request{.method = payload.slice(1, method_bytes),
                         .body = payload.slice(body_at, payload.size() - body_at)};
  if (!method_name_valid(request.method_name())) {
    return fail(ErrorCode::kProtocol, "a method name is 1 to 255 visible ASCII characters");
  }
  return request;
}

}  // namespace hyperscale::wire
