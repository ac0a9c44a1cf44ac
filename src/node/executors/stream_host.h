// StreamHost: the stream driver of a run, in the process of its runner. Each executor is the producer of one stream.
// The runner holds its lease as long as the executor lives, so an executor needs no connection to the driver and opens
// no file.
//
// Thread rule: the thread that runs `io`. The namespace is the run's id and is removed with the host, or by the keeper
// if the runner is killed; start() collects streams that other runs left. Settings come from the environment:
// HYPERSCALE_SHM_BASE_DIR and the variables of stream/policy/driver_policies.h.
#pragma once

#include "base/result.h"
#include "node/executors/stream_keeper.h"
#include "node/executors/stream_setup.h"
#include "stream/driver.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/types.h>

namespace hyperscale::node {

namespace asio = boost::asio;

struct ProducerLease {
  stream::LeaseId id;
  stream::Epoch epoch;
  std::array<int, 3> descriptors{};  // header ring, pool and counters, for the child
  std::shared_ptr<stream::EpochRegions> regions;
  std::uint64_t pid = 0;  // known to the driver: the runner's until the child has started
};

// Period of driver ticks: a quarter of the keepalive interval or announcement period, whichever is shorter.
Duration tick_period(const stream::DriverPolicies& policies);

class StreamHost {
 public:
  // kUnauthorized if other users can access the folder of this user; kUnavailable without a base folder.
  static Result<std::unique_ptr<StreamHost>> start(asio::io_context& io, const std::string& run_id);
  static Result<std::unique_ptr<StreamHost>> start(asio::io_context& io, stream::DriverSetup setup);

  // Regions of a new epoch for a child that is about to start. kInternal, with the bytes, if space is short.
  Result<ProducerLease> lease_for_child(stream::StreamNumber stream, const stream::RegionLayout& layout);
  void child_started(ProducerLease& lease, pid_t child);
  // The child has ended or never started. Its regions stay readable as long as `lease` exists.
  void child_gone(ProducerLease& lease);

  // Sets the receiver of the driver's log: what was collected, what could not be removed. Earlier sentences wait.
  void log_to(std::function<void(const std::string& sentence)> log);

  stream::Driver& driver() { return *driver_; }
  // The namespace of its streams: the id of the run.
  const std::string& run() const { return run_; }

 private:
  StreamHost(asio::io_context& io, std::string run, std::unique_ptr<StreamKeeper> keeper,
             std::unique_ptr<stream::Driver> driver);
  void tick_later();
  void renew();
  void flush_log();

  struct Held {
    stream::LeaseId id;
    std::uint64_t pid;
    stream::Epoch epoch;
  };
  const std::string run_;
  std::unique_ptr<StreamKeeper> keeper_;  // outlives the driver; null if cleanup is disabled
  std::unique_ptr<stream::Driver> driver_;
  asio::steady_timer timer_;
  std::vector<Held> held_;
  std::function<void(const std::string& sentence)> log_;
};

}  // namespace hyperscale::node
