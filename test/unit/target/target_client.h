// A blocking HTTP/1.1 client that sees every byte, for tests of the target server. Every wait ends after kPatience with
// what came so far.
#pragma once

#include "target/target_server.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::target {

// CHECKs that the server starts.
std::unique_ptr<TargetServer> start_target(const TargetOptions& options = {});

struct TestAnswer {
  int status = 0;
  std::string head;
  std::string body;
  bool has_field(std::string_view line) const { return head.find(std::string(line) + "\r\n") != std::string::npos; }
};

class TargetClient {
 public:
  explicit TargetClient(const TargetServer& server);
  explicit TargetClient(const std::string& unix_path);
  ~TargetClient();
  TargetClient(const TargetClient&) = delete;
  TargetClient& operator=(const TargetClient&) = delete;

  void send(std::string_view bytes);
  void end_sending();
  // One answer with Content-Length or chunked; status 0 when none came.
  TestAnswer read_answer(bool head_only = false);
  TestAnswer get(std::string_view target) { return call("GET", target); }
  TestAnswer call(std::string_view method, std::string_view target, std::string_view body = {});
  // Until the server closes.
  std::string read_rest();
  bool was_reset() const { return reset_; }

 private:
  bool read_more();
  std::string take(std::size_t count);
  std::string take_line();
  std::string take_chunks();

  int fd_ = -1;
  bool reset_ = false;
  std::string input_;
};

std::string get_text(std::string_view target);
TestAnswer get_once(const TargetServer& server, std::string_view target);

}  // namespace hyperscale::target
