#include "runtime/http/request_head.h"

namespace hyperscale::runtime {

void RequestHead::add_header(std::string_view name, std::string_view value) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  if (lower != "authorization") {
    headers.push_back({std::move(lower), std::string(value)});
  } else if (authorization.empty()) {
    authorization.assign(value.begin(), value.end());
  }
}

}  // namespace hyperscale::runtime
