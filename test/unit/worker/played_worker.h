// PlayedWorker: a WorkerCore in virtual time. The test plays the managers; the adapter is obedient and instant unless
// the test takes a part of it over. Every action is recorded.
//
// Thread rule: one thread. step() of the core is fed one event at a time; events that an action causes follow at the
// same time.
#pragma once

#include "leader_answers.h"
#include "sample_ids.h"
#include "worker/worker_core.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::worker {

class PlayedWorker {
 public:
  // Which actions are answered at once.
  struct Adapter {
    bool reads = true;
    bool fetches = true;
    bool resolves = true;
    bool prepares = true;
    bool ends_on_stop = false;
    bool ends_on_kill = true;
  };
  // The answer of a manager; none: it does not answer.
  using Manager = std::function<std::optional<wire::JobAnswer>(const Send&)>;

  explicit PlayedWorker(std::uint32_t cores = 8);
  explicit PlayedWorker(const WorkerSetup& setup);

  Adapter adapter;
  Manager managers;  // empty: everything is accepted

  void feed(const WorkerCore::Event& event);
  // Until `time` has passed; Ticks come at next_wake().
  void pass(Duration time);

  // A dispatch of this attempt; its content is given when it is read. Changing the content changes the digest.
  wire::WorkflowDispatch dispatch(const wire::AttemptId& attempt, const wire::DispatchContent& content);
  wire::WorkflowDispatch dispatch(const wire::AttemptId& attempt, std::uint32_t cores = 1) {
    return dispatch(attempt, content_of(attempt.share, cores));
  }

  // The answer that came in the same step; none: it comes later, see answers.
  template <typename A>
  std::optional<A> ask(const wire::JobQuestion& question, const wire::NodeIdentity& from = manager(1)) {
    const Ticket ticket = ask_later(question, from);
    const auto found = answers.find(ticket);
    if (found == answers.end()) return std::nullopt;
    return std::get<A>(found->second);
  }
  Ticket ask_later(const wire::JobQuestion& question, const wire::NodeIdentity& from = manager(1));
  wire::WorkflowDispatchAck place(const wire::WorkflowDispatch& dispatch);  // REQUIRES: answered at once
  wire::OrderAck start(const wire::AttemptId& attempt, Duration in = 0ms);
  wire::OrderAck change(const wire::AttemptId& attempt, std::uint32_t number, const std::string& command);
  wire::WorkflowCancelResponse cancel(const std::string& job, wire::CancelMode mode = wire::CancelMode::kCancel,
                                      std::uint64_t epoch = 10, std::vector<wire::ShareId> shares = {});
  void run(const wire::AttemptId& attempt, std::uint32_t cores = 1);  // dispatch and start
  void end(const wire::AttemptId& attempt, std::string error = {}, const std::string& body = "body");

  // Actions of one kind since the last take of that kind.
  template <typename A>
  std::vector<A> take() {
    std::vector<A> out;
    std::vector<WorkerCore::Action> rest;
    for (WorkerCore::Action& action : actions_) {
      if (A* wanted = std::get_if<A>(&action)) {
        out.push_back(std::move(*wanted));
      } else {
        rest.push_back(std::move(action));
      }
    }
    actions_ = std::move(rest);
    return out;
  }
  // Questions of one kind that were sent since the last take of Send.
  template <typename Q>
  std::vector<Q> sent() {
    std::vector<Q> out;
    for (const Send& send : take<Send>())
      if (const Q* wanted = std::get_if<Q>(&send.question)) out.push_back(*wanted);
    return out;
  }

  std::map<Ticket, wire::JobAnswer> answers;
  WorkerCore core;
  MonoTime now = MonoTime() + 1000s;

 private:
  void step(const WorkerCore::Event& event);
  template <typename A>
  void obey(const A&) {}
  void obey(const Answer& answer);
  void obey(const Send& send);
  void obey(const ReadContent& read);
  void obey(const FetchBlobs& fetch);
  void obey(const Resolve& resolve);
  void obey(const Prepare& prepare);
  void obey(const Stop& stop);
  void obey(const Kill& kill);

  std::map<wire::Sha256, std::shared_ptr<const wire::DispatchContent>> contents_;
  std::map<wire::AttemptId, bool> prepared_;
  std::vector<WorkerCore::Action> actions_;
  std::deque<WorkerCore::Event> next_;
  std::uint64_t tickets_ = 0;
};

}  // namespace hyperscale::worker
