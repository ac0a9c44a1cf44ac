// One request to the API of a node on this machine: blocking, with a time limit, no keep-alive.
//
// Any thread. Failure: kUnavailable, without an answer in time or for a status of 300 or more, with the answer's body.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::node {

inline constexpr Duration kApiCallTimeout = 2s;
inline constexpr std::size_t kApiAnswerBytesMax = std::size_t{16} << 20;

struct ApiCall {
  std::string_view method = "GET";
  std::string_view path;
  std::string_view body = {};
  std::string_view token = {};
};

Result<std::string> call_api(std::uint16_t port, const ApiCall& call, Duration timeout = kApiCallTimeout);

}  // namespace hyperscale::node
