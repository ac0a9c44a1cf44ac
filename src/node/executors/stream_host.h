// StreamHost: the stream driver of a run, in the process of its runner. Executors are producers of streams of their
// own; the runner holds their leases for them for as long as their processes live, so an executor needs no line to the
// driver and opens no file.
//
// Thread rule: the thread that runs `io`. The namespace is the run's id and is removed with the host, or by the keeper
// when the runner is killed; what else was left is collected at the start. Settings come from the environment:
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
  std::array<int, 3> descriptors{};  // of header ring, pool and counters, for the child
  std::shared_ptr<stream::EpochRegions> regions;
  std::uint64_t pid = 0;  // that the driver knows: of the runner until the child has been started
};

// How often the driver's time goes on: four times per keepalive or announcement, whichever comes sooner.
Duration tick_period(const stream::DriverPolicies& policies);

class StreamHost {
 public:
  // kUnauthorized when the folder of this user is not this user's alone; kUnavailable without a base folder.
  static Result<std::unique_ptr<StreamHost>> start(asio::io_context& io, const std::string& run_id);
  static Result<std::unique_ptr<StreamHost>> start(asio::io_context& io, stream::DriverSetup setup);

  // Regions of a new epoch for a child that is about to be started. kInternal, with the bytes, when there is no room.
  Result<ProducerLease> lease_for_child(stream::StreamNumber stream, const stream::RegionLayout& layout);
  void child_started(ProducerLease& lease, pid_t child);
  // It has ended, or was never started. Its regions can be read for as long as the lease is kept.
  void child_gone(ProducerLease& lease);

  // Who gets the sentences of the driver's log: what was collected, what could not be removed. Until then they wait.
  void tell_to(std::function<void(const std::string& sentence)> log);

  stream::Driver& driver() { return *driver_; }
  // The namespace of its streams: the id of the run.
  const std::string& run() const { return run_; }

 private:
  StreamHost(asio::io_context& io, std::string run, std::unique_ptr<StreamKeeper> keeper,
             std::unique_ptr<stream::Driver> driver);
  void tick_later();
  void renew();
  void tell();

  struct Held {
    stream::LeaseId id;
    std::uint64_t pid;
    stream::Epoch epoch;
  };
  const std::string run_;
  std::unique_ptr<StreamKeeper> keeper_;  // outlives the driver; none when nothing is to be cleaned up
  std::unique_ptr<stream::Driver> driver_;
  asio::steady_timer timer_;
  std::vector<Held> held_;
  std::function<void(const std::string& sentence)> log_;
};

}  // namespace hyperscale::node
