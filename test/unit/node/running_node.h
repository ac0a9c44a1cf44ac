// RunningNode: a whole node inside the test process, on loopback and free ports, with its log in memory.
#pragma once

#include "h1_client.h"
#include "node/compute/compute_role.h"
#include "node/process/node_process.h"

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace hyperscale::node {

inline constexpr Duration kTestBound = 20s;
// Of every node that was given no other; get() and post() send it unless the headers hold one.
inline constexpr std::string_view kTestBearer = "authorization: Bearer a token for tests\r\n";

// Defaults for tests: free ports, `threads` loop threads (1 means the single-thread flavour), no limits that a burst
// hits.
runtime::NodeConfig test_config(unsigned threads);

class RunningNode {
 public:
  // With the compute role.
  explicit RunningNode(runtime::NodeConfig config, runtime::SecretHandle admin_token = {},
                       runtime::ConfigInputs inputs = {});
  // Stops the node if that has not happened.
  ~RunningNode();
  RunningNode(const RunningNode&) = delete;
  RunningNode& operator=(const RunningNode&) = delete;

  // Between construction and start() the node is bound but does not serve.
  void start();
  void shut_down() { process->request_shutdown("test"); }
  ExitCode wait();
  bool ended() const { return exit_.wait_for(0s) == std::future_status::ready; }
  // Gives the node up without destroying it: a thread of it still runs.
  void leak();

  std::uint16_t api() const { return process->endpoints().api.port(); }
  std::uint16_t metrics() const { return process->endpoints().metrics.port(); }
  std::uint16_t transport() const { return process->endpoints().transport.port(); }
  bool wait_until_ready();
  // A request on a connection of its own.
  runtime::Answer get(std::uint16_t port, const std::string& path);
  runtime::Answer post(const std::string& path, const std::string& body, const std::string& headers = {});
  std::string metrics_text() { return get(metrics(), "/metrics").body; }

  std::shared_ptr<runtime::LogCapture> log = std::make_shared<runtime::LogCapture>();
  std::unique_ptr<NodeProcess> process;
  ComputeRole* compute = nullptr;  // of the process

 private:
  std::thread thread_;
  std::future<ExitCode> exit_;
};

template <typename Condition>
bool eventually(Condition condition) {
  std::promise<void> never;
  const auto tick = never.get_future();
  const auto end = std::chrono::steady_clock::now() + kTestBound;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    tick.wait_for(1ms);
  }
  return true;
}

}  // namespace hyperscale::node
