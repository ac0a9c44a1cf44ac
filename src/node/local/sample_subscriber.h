// SampleSubscriber: reads the samples of a run from the rings of its executors and posts them to the reporters that
// want samples. Without such a reporter it does nothing.
//
// Thread rule: the thread of `io`; `runs`, `redactor` and `to` outlive it. A ring is read every kSamplePeriod; an
// executor that records more than its ring holds (65,536 samples) between two reads overwrites samples. finish() counts
// them as lost: what the tallies of the executor counted and no read returned.
#pragma once

#include "base/redactor.h"
#include "base/time.h"
#include "node/local/workflow_run.h"
#include "report/reporters/report_queue.h"
#include "stream/sample_follower.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

inline constexpr Duration kSamplePeriod = 50ms;

class SampleSubscriber {
 public:
  SampleSubscriber(asio::io_context& io, const WorkflowRuns& runs, const Redactor& redactor, report::ReportQueue& to)
      : timer_(io), runs_(runs), redactor_(redactor), to_(to) {}

  // `started` is the start of the run on the clock of the samples.
  void start(MonoTime started);
  // Reads what is left and reports what was lost. REQUIRES: every executor has ended.
  void finish();

 private:
  struct Followed {
    stream::SampleFollower samples;
    std::uint64_t taken = 0;
    std::shared_ptr<const report::SampleSource> source = {};  // with the series that were named so far
  };
  Followed& followed(std::size_t workflow, const SampleRing& ring);
  void name_series(Followed& followed, std::size_t workflow, const SampleRing& ring);
  void read_later();
  void read();
  void read(std::size_t workflow, const SampleRing& ring);

  asio::steady_timer timer_;
  const WorkflowRuns& runs_;
  const Redactor& redactor_;
  report::ReportQueue& to_;
  MonoTime started_;
  bool on_ = false;
  std::map<std::pair<std::size_t, std::uint64_t>, Followed> followed_;  // by workflow and number of the ring
  std::vector<stream::Sample> samples_;                                 // of one ring; its memory is used again
};

}  // namespace hyperscale::node
