// Options of `hyperscale ping tcp|smtp|ftp`, as text; ping_request.h parses them. Plain value.
#pragma once

#include <string>

namespace hyperscale::app {

struct PingOptions {
  std::string target;
  std::string count;
  std::string timeout;
  std::string dns_server;
  bool ipv4 = false;
  bool ipv6 = false;
  bool json = false;
};

}  // namespace hyperscale::app
