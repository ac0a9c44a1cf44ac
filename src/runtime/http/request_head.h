// RequestHead: a request before its body, for both HTTP versions.
//
// The authorization header is kept apart in wiping memory: it reaches the access check and nothing else.
#pragma once

#include "runtime/http/http_message.h"
#include "runtime/secret/wiping_allocator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

struct RequestHead {
  std::string method;
  std::string target;
  std::vector<Header> headers;  // names in lower case; without authorization
  WipingVector<char> authorization;
  int http_major = 1;
  std::optional<std::uint64_t> content_length;

  // Keeps the first authorization header apart; a second one is dropped.
  void add_header(std::string_view name, std::string_view value);
};

}  // namespace hyperscale::runtime
