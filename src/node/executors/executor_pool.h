// ExecutorPool: the executor processes of one run. It starts them, hands them their shares, notices when one dies,
// gives its share to a successor once, and reads what all of them have recorded. Used by the local runner and by worker
// nodes.
//
// Thread rule: one thread, the one that runs `io`; it must live as long as the pool, because executors die with it.
// Life: make(), then on_ready() comes, start() once, on_done() comes; stop() asks for an early end, kill() enforces
// one. Observers are called from `io` and may call anything but the destructor, which kills what still runs and leaves
// no zombie. What a dead executor had recorded stays in the figures.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "load/loop/event_loop.h"
#include "load/recording/plan_tallies.h"
#include "load/recording/tally_reader.h"
#include "node/executors/core_use.h"
#include "node/executors/executor_link.h"
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

// A share whose executors die more often than this is lost.
inline constexpr std::uint32_t kRestartsMax = 1;

// What a script may take that the engine in its process cannot stop: native operations.
struct ScriptLimits {
  std::uint64_t resident_bytes = std::uint64_t{2} << 30;
  Duration silence = 10s;
};

struct PoolSetup {
  plan::Plan plan;
  std::vector<plan::Segment> segments;  // one executor each; not empty
  load::LoopBackend backend = load::LoopBackend::kAuto;
  std::vector<int> cores;  // executor i runs on core i modulo their number; empty: anywhere
  // How to start one: this program with the command "executor". The numbers of its descriptors are appended.
  std::string program = "/proc/self/exe";
  std::vector<std::string> arguments = {"hyperscale", "executor"};
  std::uint32_t restarts_max = kRestartsMax;
  ScriptLimits script_limits = {};
  StreamHost* streams = nullptr;   // where executors publish; outlives the pool
  std::uint32_t first_stream = 0;  // executor i publishes as this one plus i
};

class PoolObserver {
 public:
  virtual void on_ready() = 0;                                                    // all executors are
  virtual void on_refused(std::uint32_t executor, const std::string& why) = 0;    // the plan cannot run
  virtual void on_died(std::uint32_t executor, const std::string& sentence) = 0;  // restarted or lost, as it says
  virtual void on_log(load::LogLevel level, const std::string& text) = 0;         // a line of the script
  virtual void on_done() = 0;  // every share has finished or is lost, and every process is gone

 protected:
  ~PoolObserver() = default;
};

class ExecutorPool {
 public:
  // Starts all executors; they prepare themselves while `io` runs. Fails when memory or a process is not to be had.
  static Result<std::unique_ptr<ExecutorPool>> make(asio::io_context& io, PoolSetup setup, PoolObserver& observer);
  ~ExecutorPool();
  ExecutorPool(const ExecutorPool&) = delete;
  ExecutorPool& operator=(const ExecutorPool&) = delete;

  // REQUIRES: on_ready() has come. `values` are for the functions of the plan's script.
  void start(MonoTime at, std::vector<plan::SharedValue> values = {});
  // All executors follow it, also successors of dead ones. REQUIRES: started; the changes make sense one after the
  // other.
  void change(const plan::LoadChange& change);
  // Executors end in order. From now on a dead one gets no successor.
  void stop();
  // Executors end now, and their shares count as finished with what they have recorded.
  void kill();
  // For executors that do not answer: they end now, and their shares are lost.
  void give_up();
  bool done() const;
  // To be called a few times a second: ends executors whose script takes too much memory or does not let go of the
  // loop. That is a death like any other.
  void look_after();

  // All executors together, also those that died.
  results::WindowTotals live() const;
  // The tallies of each of them, for the world of the run. `first_executor` and `first_step` are the pool's in the run.
  std::vector<TallySource> sources(std::uint32_t first_executor, std::uint32_t first_step) const;
  // What was recorded, merged exactly; only what executors know is filled in. `elapsed` is from the first start to the
  // last end of any executor.
  Result<results::Recorded> recorded() const;
  // `ran` is how long the run took, to relate the CPU time to.
  std::vector<results::ExecutorReport> reports(Duration ran) const;
  // From when on exchanges counted, and when the last of them ended; zero when there was none.
  MonoTime first_start() const;
  MonoTime last_end() const;
  bool lost_a_share() const { return !lost().empty(); }
  // The executors whose shares are lost.
  std::vector<std::uint32_t> lost() const;
  // Of so many users of the whole plan, those of the shares that are not lost.
  std::uint64_t users_left_of(std::uint64_t total) const;
  // What functions gave to others: of each key, the value of the first executor that has one (U-9).
  std::vector<plan::SharedValue> values() const;
  // Of a setup or teardown; empty when it went well.
  std::string failure() const;
  // Of the executors that run now.
  std::vector<pid_t> processes() const;

 private:
  struct Member {
    plan::Segment segment;
    std::int32_t core = -1;
    std::shared_ptr<ExecutorLink> link;
    std::uint32_t stream = 0;
    std::vector<ProducerLease> leases;  // the last one is in use
    std::uint32_t deaths = 0;
    std::uint64_t lost_with_executor = 0;  // iterations under way when one was killed
    bool ready = false;
    bool finished = false;  // said so
    bool gone = false;      // no process, and there will be none
    bool lost = false;
    Duration cpu{};
    CoreUse core_before;  // when it was started
    Duration waited{};    // for its core
    Duration stolen{};    // from its core, by other machines
    std::string message;
    std::string killed_for;  // what look_after() saw
    std::vector<plan::SharedValue> values;
    std::string failure;
  };

  ExecutorPool(asio::io_context& io, PoolSetup setup, PoolObserver& observer);
  Status launch(Member& member);
  std::string title_of(const Member& member) const;
  void end_truncated();
  void on_message(Member& member, const ExecutorMessage& message);
  void on_member_ready(Member& member);
  void send_start(Member& member, std::uint64_t first_arrival, std::uint64_t first_round);
  void note_core_use(Member& member);
  void on_gone(Member& member, const ExecutorExit& exit);
  void on_death(Member& member, const std::string& how);
  load::TallyReader reader(const Member& member, std::size_t lease) const;
  Result<results::Recorded> share_of(const Member& member) const;
  Duration elapsed() const;
  // Most users busy at once in the shares that are not lost.
  std::uint32_t users_peak() const;
  std::string when() const;

  asio::io_context& io_;
  const PoolSetup setup_;
  PoolObserver& observer_;
  load::TallyShape shape_;
  load::TallyNames names_;
  std::vector<plan::SharedValue> values_;  // that the start gave
  std::vector<plan::LoadChange> changes_;  // since then
  SharedBytes plan_frames_;
  std::uint64_t plan_bytes_ = 0;
  stream::MappedRegion numbers_;  // of the iterations, shared by all executors
  std::vector<Member> members_;
  bool all_ready_ = false;
  bool started_ = false;
  MonoTime start_;
  bool stopping_ = false;
  bool killing_ = false;
  std::uint32_t users_peak_before_loss_ = 0;
};

}  // namespace hyperscale::node
