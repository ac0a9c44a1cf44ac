// RandomWorker: a WorkerCore among managers, executors and a network that do what a tape of numbers says, in virtual
// time: dispatches with old, equal and new fences and contents, boots and terms; lost and late answers; leaders that
// change; executors that refuse, never become ready, ignore a stop, or end at any time; a shelf with few places. It
// keeps its own simple model of processes, answers and results, and notes what breaks a rule.
//
// Thread rule: one thread. The same tape gives the same run.
#pragma once

#include "leader_answers.h"
#include "sample_ids.h"
#include "worker/worker_core.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hyperscale::worker {

class RandomWorker {
 public:
  explicit RandomWorker(std::vector<std::uint32_t> tape);

  // Plays the tape, then cancels and releases everything.
  void run();

  // Rules that were broken; empty: none.
  const std::vector<std::string>& broken() const { return broken_; }
  std::string story() const;  // the last events and actions
  const WorkerCore& core() const { return *core_; }

 private:
  // What the adapter does for one attempt.
  struct Work {
    enum class Step : std::uint8_t { kRead, kFetch, kResolve, kLaunch, kReady, kStarted };
    Step step = Step::kRead;
    std::shared_ptr<const wire::DispatchContent> content;
    std::vector<CoreIndex> cores;
    std::uint32_t stops = 0;
    std::uint32_t kills = 0;
    bool has_processes() const { return step >= Step::kLaunch; }
  };

  std::uint32_t take(std::uint32_t below);
  template <typename T>
  const T& pick(const std::vector<T>& all) {
    return all[take(static_cast<std::uint32_t>(all.size()))];
  }
  void play();
  void dispatch();
  void order();
  void work();
  void answer_one();
  wire::JobAnswer random_answer(const Send& send);
  void restart();
  void cluster();
  void settle();

  void step(const WorkerCore::Event& event, const std::string& what);
  void ask(const wire::JobQuestion& question, const std::string& what);
  template <typename A>
  void see(const A&) {}
  void see(const Answer& answer);
  void see(const Send& send);
  void see(const ReadContent& read);
  void see(const FetchBlobs& fetch);
  void see(const Resolve& resolve);
  void see(const Prepare& prepare);
  void see(const Start& start);
  void see(const Change& change);
  void see(const Stop& stop);
  void see(const Kill& kill);
  void see(const Note& note);
  void end(const wire::AttemptId& attempt, const std::string& error);
  void decided(const wire::WorkflowDispatchAck& ack);
  void check_state();
  void rule(bool holds, const std::string& what);
  void tell(const std::string& what);
  std::vector<wire::AttemptId> attempts() const;

  std::vector<std::uint32_t> tape_;
  std::size_t position_ = 0;
  std::unique_ptr<WorkerCore> core_;
  std::uint64_t boot_ = 0;
  MonoTime now_ = MonoTime() + 1000s;
  std::vector<wire::WorkflowDispatch> sent_;  // every dispatch so far
  std::map<wire::Sha256, std::shared_ptr<const wire::DispatchContent>> contents_;
  std::map<wire::AttemptId, Work> works_;
  std::map<wire::ShareId, wire::Fence> launched_;    // the last fence that had executors, in this boot
  std::map<wire::AttemptId, bool> decisions_;        // of this boot: accepted?
  std::map<std::uint64_t, wire::JobQuestion> open_;  // questions without an answer, by ticket
  std::vector<Send> under_way_;
  std::set<wire::AttemptId> kept_;  // results, by the state before this step
  std::set<wire::AttemptId> released_;
  std::uint64_t tickets_ = 0;
  std::uint64_t epoch_ = 10;
  bool job_ended_ = false;  // in this step
  std::vector<std::string> broken_;
  std::vector<std::string> story_;
};

}  // namespace hyperscale::worker
