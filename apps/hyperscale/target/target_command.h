// `hyperscale target`: starts the test server, prints where it listens, waits for SIGINT or SIGTERM and prints what it
// received. Errors go to standard error. Thread rule: call it on the main thread, before any other thread exists: it
// blocks the signals that it waits for.
#pragma once

#include "base/exit_code.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hyperscale::app {

struct TargetCommand {
  std::string listen = "127.0.0.1:0";  // "ADDR:PORT"; port 0: a free one
  unsigned cores = 1;
  std::string stall;  // "200ms/2s"; empty: none
  bool self_signed = false;
  std::string cert_file;
  std::string key_file;
  std::string unix_socket;
  std::optional<std::uint16_t> tcp_port;  // --tcp and --udp
  std::optional<std::uint16_t> udp_port;
  bool json = false;
};

ExitCode run_target(const TargetCommand& command);

}  // namespace hyperscale::app
