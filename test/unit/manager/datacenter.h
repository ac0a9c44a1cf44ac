// Datacenter: a ManagerCore with a journal and simulated workers in virtual time, for tests. It carries out the actions
// as an adapter does, and notes each action that breaks a rule: a dispatch, a start, a release, a layer or an answer
// before its record; an excluded worker; a result merged twice.
//
// The same seed gives the same run. One thread.
#pragma once

#include "manager/manager_core.h"
#include "sim_worker.h"
#include "slow_journal.h"
#include "wire/seeded_entropy.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::manager {

class Datacenter {
 public:
  struct Options {
    std::uint64_t seed = 1;
    std::optional<jobs::SlowJournal::Behaviour> slow_journal = {};  // otherwise in memory, done at once
    std::uint32_t lost_percent = 0;                                 // of messages, either way
    Duration latency_max = 5ms;
  };
  struct Journey {  // what was asked, in order
    MonoTime at;
    std::string worker;
    wire::JobQuestion message;
  };

  explicit Datacenter(Options options);
  Datacenter() : Datacenter(Options()) {}

  void add_worker(const std::string& name, std::uint32_t cores);
  SimWorker& worker(const std::string& name) { return *workers_.at(name).model; }
  void kill(const std::string& name);     // noticed after some seconds
  void restart(const std::string& name);  // at once, as another process
  void cut(const std::string& name);      // it runs on, no message passes
  void heal(const std::string& name);
  void lose_leadership();
  void win_leadership();

  RequestId submit(Submission submission);
  RequestId cancel(const std::string& job, std::optional<std::uint64_t> gate_fence = {});
  void feed(const ManagerCore::Event& event);

  void run_for(Duration time);
  // False if it has not become true within the limit.
  bool run_until(const std::function<bool()>& done, Duration limit = 20min);
  bool run_until_over(Duration limit = 20min);
  MonoTime now() const { return now_; }
  void after(Duration delay, std::function<void()> what);

  ManagerCore& core() { return core_; }
  // REQUIRES: it is known.
  const LedJob& job(const std::string& id) const;
  JobState state(const std::string& id) const { return job(id).record.state(); }
  bool over(const std::string& id) const { return !core_.find(id) || job(id).record.over(); }

  // What came out.
  const std::vector<std::string>& broken() const { return broken_; }
  std::string story() const;  // the last events and actions
  const std::map<RequestId, SubmitAnswer>& submit_answers() const { return submit_answers_; }
  const std::map<RequestId, CancelAnswer>& cancel_answers() const { return cancel_answers_; }
  std::vector<jobs::Record> records(const std::string& job) const;
  std::vector<Journey> asked(const std::function<bool(const wire::JobQuestion&)>& which = {}) const;
  const std::vector<Execution>& executions() const { return executions_; }
  // Times of the load of a share whose figures were merged.
  const std::map<wire::ShareId, std::vector<std::pair<Duration, Duration>>>& counted() const { return counted_; }
  const std::vector<StoreResult>& stored() const { return stored_; }
  template <typename Kind>
  std::vector<Kind> pushed(const std::string& job) const {
    std::vector<Kind> kinds;
    for (const Push& each : pushed_)
      if (const auto* kind = std::get_if<Kind>(&each.event); kind && each.job == job) kinds.push_back(*kind);
    return kinds;
  }
  const std::vector<std::string>& notes() const { return notes_; }
  std::size_t fetches_most() const { return fetches_most_; }

  // Faults of the adapter.
  std::function<Status(const wire::AttemptId&)> fetch_fault;
  std::function<Result<wire::BlobName>(const StoreResult&)> store_fault;

 private:
  struct Seat {
    std::unique_ptr<SimWorker> model;
    bool alive = true;
    bool cut = false;
    bool reachable() const { return alive && !cut; }
  };

  void step(const ManagerCore::Event& event);
  void carry_out(const Journal& action);
  void carry_out(const StoreBlob& action);
  void carry_out(const Ask& action);
  void carry_out(const Reply& action);
  void carry_out(const SubmitAnswer& action);
  void carry_out(const CancelAnswer& action);
  void carry_out(const FetchResult& action);
  void carry_out(const MergeShare& action);
  void carry_out(const DropFigures& action);
  void carry_out(const StoreResult& action);
  void carry_out(const Push& action);
  void carry_out(const DropJob& action);
  void carry_out(const Note& action);
  void journal_events(Actions<jobs::JournalEvent> events);
  void wake_journal();
  void report(const std::string& worker, SimWorker::Report report);
  void deliver(const std::string& worker, SimWorker::Report report);
  void heartbeat(const std::string& name);
  void tick();
  void check_ask(const Ask& ask);
  Duration latency();
  bool is_lost();
  bool has_record(const std::string& job, const std::function<bool(const jobs::Record&)>& which) const;
  void rule(bool holds, const std::string& what);
  void tell(std::string what);

  Options options_;
  Prng prng_;
  wire::SeededEntropy entropy_;
  ManagerCore core_;
  std::variant<jobs::MemoryJournal, jobs::SlowJournal> journal_;
  MonoTime now_ = MonoTime() + 1000s;
  std::uint64_t scheduled_ = 0;
  std::map<std::pair<MonoTime, std::uint64_t>, std::function<void()>> schedule_;
  SimWorker::Host host_;
  std::map<std::string, Seat> workers_;
  std::uint64_t boots_ = 100;
  std::uint64_t requests_ = 0;
  std::uint64_t reports_ = 0;
  std::uint64_t term_ = 1;
  std::map<ReportId, std::pair<std::string, SimWorker::Report>> waiting_reports_;
  std::map<std::string, plan::Job> plans_;
  std::vector<std::pair<std::string, jobs::Record>> records_;  // committed
  std::map<RequestId, SubmitAnswer> submit_answers_;
  std::map<RequestId, CancelAnswer> cancel_answers_;
  std::vector<Journey> asked_;
  std::vector<Push> pushed_;
  std::vector<StoreResult> stored_;
  std::vector<Execution> executions_;
  std::map<wire::AttemptId, Duration> folded_;
  std::set<wire::AttemptId> merged_;
  std::map<wire::AttemptId, std::pair<std::string, Duration>> dispatched_;  // worker, from where
  std::map<wire::ShareId, std::vector<std::pair<Duration, Duration>>> counted_;
  std::set<wire::AttemptId> fetching_;
  std::size_t fetches_most_ = 0;
  std::vector<std::string> broken_;
  std::vector<std::string> notes_;
  std::vector<std::string> story_;
};

// A submission that the datacenter's workers can run.
Submission some_submission(const std::string& job, plan::Job plan);

}  // namespace hyperscale::manager
