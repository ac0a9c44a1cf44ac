// ExecutorPool: the executor processes of one share. Carries out the commands of jobs::ShareMachine, which makes all
// decisions: launches and ends processes, and sends messages to them. Reports their messages and ends to an observer,
// and reads what all of them have recorded. Used by the local runner; worker nodes will own one too.
//
// Thread rule: one thread, the one that runs `io`; it must live as long as the pool, because executors die with it.
// Segments, cores and the time of the start come from the caller. Observers are called from `io`, never from inside a
// call, and may call anything but the destructor, which kills what still runs and leaves no zombie. What a dead
// executor had recorded stays in the figures.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/share_machine.h"
#include "load/loop/event_loop.h"
#include "load/recording/plan_tallies.h"
#include "load/recording/tally_reader.h"
#include "node/executors/core_use.h"
#include "node/executors/executor_link.h"
#include "node/executors/sample_ring.h"
#include "node/executors/stream_host.h"
#include "node/executors/tally_source.h"
#include "plan/plan.h"
#include "plan/segment.h"
#include "results/run_result.h"
#include "results/window_series.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace hyperscale::node {

struct PoolSetup {
  plan::Plan plan;
  std::vector<plan::Segment> segments;  // one executor each; not empty
  load::LoopBackend backend = load::LoopBackend::kAuto;
  std::vector<int> cores;  // executor i runs on core i modulo their number; empty: anywhere
  // How to start one: this program with the command "executor". The numbers of its descriptors are appended.
  std::string program = runtime::kOwnProgram;
  std::vector<std::string> arguments = {"hyperscale", "executor"};
  StreamHost* streams = nullptr;   // where executors publish; outlives the pool
  std::uint32_t first_stream = 0;  // executor i publishes as this one plus i
};

class PoolObserver {
 public:
  // ExecutorReady, ExecutorRefused, ExecutorFinished or ExecutorGone of one executor.
  virtual void on_event(const jobs::ShareMachine::Event& event) = 0;
  virtual void on_log(load::LogLevel level, const std::string& text) = 0;  // a line of the script

 protected:
  ~PoolObserver() = default;
};

class ExecutorPool {
 public:
  // Starts no process. Fails when there is no memory.
  static Result<std::unique_ptr<ExecutorPool>> make(asio::io_context& io, PoolSetup setup, PoolObserver& observer);
  ~ExecutorPool();
  ExecutorPool(const ExecutorPool&) = delete;
  ExecutorPool& operator=(const ExecutorPool&) = delete;

  // Starts a process for a segment; it prepares itself while `io` runs. Fails when there is no memory or no process can
  // be started. REQUIRES: the executor has no process.
  Status launch(const jobs::LaunchExecutor& asked);
  // Commands to an executor without a process are dropped. Its ExecutorGone was reported, or will be.
  void start(const jobs::StartExecutor& asked);
  void change(const jobs::ChangeExecutor& asked);
  void stop(std::uint32_t executor);
  void kill(std::uint32_t executor);
  // The segment is lost: arrivals that waited in it are dropped, and later peaks of users are without its users.
  void lose(std::uint32_t executor);
  // Measurements of running processes: whether a stream was cut; with a script, memory and last sign of life.
  std::vector<jobs::Sight> sights() const;

  // All executors together, also those that died.
  results::WindowTotals live() const;
  // The tallies of each of them, for the world of the run. `first_executor` and `first_step` are the pool's in the run.
  std::vector<TallySource> sources(std::uint32_t first_executor, std::uint32_t first_step) const;
  // The rings of samples of each of them. `first_executor` is the pool's in the run.
  std::vector<SampleRing> sample_rings(std::uint32_t first_executor) const;
  const load::TallyNames& names() const { return names_; }
  // What was recorded, merged exactly; only what executors know is filled in.
  Result<results::Recorded> recorded() const;
  // What was measured of each executor. `ran` is how long the share took, to relate the CPU time to.
  std::vector<results::ExecutorReport> reports(Duration ran) const;
  // From when on exchanges counted, and when the last of them ended; zero when there was none.
  MonoTime first_start() const;
  MonoTime last_end() const;
  // Of the executors that run now.
  std::vector<pid_t> processes() const;

 private:
  struct Member {
    std::uint32_t index = 0;  // in the share
    std::int32_t core = -1;
    std::shared_ptr<ExecutorLink> link;
    std::uint32_t stream = 0;
    std::vector<ProducerLease> leases;  // the last one is in use
    bool running = false;               // there is a process
    bool started = false;               // of that process
    bool finished = false;              // it said so
    bool lost = false;
    Duration cpu{};
    CoreUse core_before;  // when it was started
    Duration waited{};    // for its core
    Duration stolen{};    // from its core, by other machines
  };

  ExecutorPool(asio::io_context& io, PoolSetup setup, PoolObserver& observer);
  Member& at(std::uint32_t executor);
  std::string title_of(const Member& member) const;
  void on_message(Member& member, const ExecutorMessage& message);
  void on_gone(Member& member, const ExecutorExit& exit);
  void note_core_use(Member& member);
  load::TallyReader reader(const Member& member, std::size_t lease) const;
  load::TallyReader last_reader(const Member& member) const { return reader(member, member.leases.size() - 1); }
  Result<results::Recorded> share_of(const Member& member) const;
  // Most users busy at once in the segments that are not lost.
  std::uint32_t users_peak() const;

  asio::io_context& io_;
  const PoolSetup setup_;
  PoolObserver& observer_;
  load::TallyShape shape_;
  load::TallyNames names_;
  SharedBytes plan_frames_;
  std::uint64_t plan_bytes_ = 0;
  stream::MappedRegion numbers_;  // of the iterations, shared by all executors
  std::vector<Member> members_;
  std::uint32_t users_peak_before_loss_ = 0;
};

}  // namespace hyperscale::node
