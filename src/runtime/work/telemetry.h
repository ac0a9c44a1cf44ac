// Telemetry: reports of workers about finished jobs, best effort. The queue keeps the newest and drops the oldest, so a
// slow consumer never blocks a worker.
#pragma once

#include "base/time.h"
#include "concurrent/bounded_queue.h"
#include "concurrent/ranked_mutex.h"

#include <cstdint>
#include <map>
#include <string>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class Log;

struct TelemetryEvent {
  std::string job;
  bool ok = false;
  Duration elapsed{};
};
using TelemetryQueue = concurrent::BoundedQueue<TelemetryEvent>;

struct JobFigures {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  Duration longest{};
};

// Adds up the events per kind of job, for the status page.
class TelemetrySink {
 public:
  // Consumes until the queue is closed and empty.
  asio::awaitable<void> run(TelemetryQueue& queue, Log& log);
  std::map<std::string, JobFigures> figures() const;

 private:
  mutable concurrent::RankedMutex mutex_{concurrent::LockRank::kCounters};
  std::map<std::string, JobFigures> figures_;
};

}  // namespace hyperscale::runtime
