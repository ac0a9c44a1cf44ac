// `hyperscale target` behind its command line: starts the test server, says where it listens, waits for SIGINT or
// SIGTERM and says what it received. What is wrong goes to standard error in words a person can act on. Thread rule:
// call it on the main thread, before any other thread exists: it blocks the signals that it waits for.
#pragma once

#include "base/exit_code.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hyperscale::app {

struct TargetCommand {
  std::string listen = "127.0.0.1:0";  // "ADDR:PORT"; port 0: a free one
  unsigned cores = 1;
  std::string stall;  // "200ms/2s", or none
  bool self_signed = false;
  std::string cert_file;
  std::string key_file;
  std::string unix_socket;
  std::optional<std::uint16_t> tcp_port;  // of --tcp and --udp
  std::optional<std::uint16_t> udp_port;
  bool json = false;
};

ExitCode run_target(const TargetCommand& command);

}  // namespace hyperscale::app
