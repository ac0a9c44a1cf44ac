// LoadExecutor: the Executor of the steps. Starts iterations by the plan's pacing, runs their steps, records outcomes.
//
// Closed loop: each user begins its next iteration when the last one has ended; users join and leave by the load curve.
// Open loop: iterations begin by the arrival schedule on any free lane; an arrival without a free lane waits and is
// late, and one that waits too long is dropped and counted.
//
// A lane:
//            begin_round, begin_on
//   idle ----------------------------> steps of a layer ----> functions read their answers
//    ^                                         ^                          |
//    | lane_rested                             +------- next layer -------+
//    |                                                                    | last layer, gave up, or out of time
//    +----- resting: think time, retry pause, or zero <--- end_iteration <+
//
// An idle lane begins again at once if its user is active (closed loop), or waits in free_lanes_ for an arrival (open
// loop). A lane without further rows of data stays idle, and so do all after end_of_work(). cut_off() ends what runs.
//
// A plan with a script: steps that are functions, and functions that read answers, go through IterationScript. Such a
// user has one lane.
#pragma once

#include "load/executor.h"
#include "load/iteration_script.h"
#include "load/pacing/arrival_queue.h"
#include "load/pacing/arrival_schedule.h"
#include "load/pacing/iteration_numbers.h"
#include "load/pacing/load_curve.h"
#include "load/prepared_plan.h"
#include "load/protocols/http2/free_list_memory.h"
#include "load/recording/tally_recorder.h"
#include "load/step_graph.h"
#include "load/tried_exchange.h"
#include "load/virtual_user.h"

#include <memory>
#include <vector>

namespace hyperscale::load {

class LoadExecutor final : public Executor, private ExchangeListener, private LaneEvents, private IterationScriptOwner {
 public:
  // `script` is null for a plan without one.
  LoadExecutor(plan::Plan plan, const plan::Segment& segment, EventLoop& loop, TallyRecorder& recorder,
               std::unique_ptr<StepScript> script = nullptr, ExchangeWatch* watch = nullptr);
  ~LoadExecutor() override;

  Status prepare();
  void start(MonoTime start, std::uint64_t first_arrival) override;
  void stop() override;
  void change(const plan::LoadChange& change) override;
  bool done() const override { return ended_ && lanes_busy_ == 0 && provisions_open_ == 0 && !has_stray_calls(); }
  Status give(const std::vector<plan::SharedValue>& values) override;
  std::vector<plan::SharedValue> given() const override;
  void log_to(const ScriptLogSink& sink) override { log_ = sink; }
  void number_by(IterationNumbers numbers) override { numbers_ = numbers; }
  void go_on_after(std::uint64_t rounds) override { first_round_ = rounds; }
  void between_turns() override;

 private:
  bool is_open() const { return plan_.load.pacing == plan::Pacing::kOpen; }
  Lane& lane_at(LaneId id) { return users_[id.user]->lanes[id.lane]; }
  std::uint32_t share_of_users(double total) const;
  VirtualUser& user_at(std::uint32_t index);

  // Closed loop.
  void follow_curve();
  void begin_round(LaneId id, MonoTime now);

  // Open loop.
  void take_arrivals();
  void begin_due(MonoTime now);
  void begin_on(LaneId id, const Arrival& arrival, MonoTime now);
  bool find_free_lane(LaneId& out, MonoTime now);
  void drop_late(MonoTime now);
  void report_waiting(MonoTime now);
  void report_idle(MonoTime now);
  void joined(std::uint32_t user);
  void release(LaneId id, MonoTime now);

  // Iterations.
  void busy_lanes(std::uint32_t count);
  void begin_iteration(LaneId id, MonoTime intended, MonoTime now);
  bool begin_layer(LaneId id, MonoTime intended, MonoTime now);
  void layer_done(LaneId id, MonoTime now);
  void begin_next_layer(LaneId id, MonoTime now);
  bool begin_rows(LaneId id, MonoTime intended);
  void out_of_rows(LaneId id);
  bool can_run(const Lane& lane, std::uint32_t step) const;
  void end_iteration(LaneId id, MonoTime now, bool rest);
  void lane_rested(LaneId id) override;
  void exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) override;
  void connection_opened(std::uint32_t user, Protocol protocol, std::uint8_t version) override;
  void connection_bytes(std::uint32_t, const ByteCounts& bytes) override {
    recorder_.connection_frames(bytes.sent, bytes.received);
  }
  void late_datagram(std::uint32_t) override { recorder_.late_datagrams(1); }
  void exchange_header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value) override {
    if (functions_) functions_->header(user, slot, name, value);
    if (watch_ != nullptr) watch_->watched_header(slot, name, value);
  }
  void judge_step(Lane& lane, results::Outcome outcome);
  results::Outcome record(const StepRun& run, const ExchangeReport& report);

  // Scripted steps.
  Status prepare_script();
  bool ready_user(std::uint32_t user);
  ClientSet& clients_of(std::uint32_t user) override { return users_[user]->clients; }
  void scripted_step_ended(std::uint32_t user, std::uint32_t step, const ScriptedStepEnd& end) override;
  void call_ended(const CallRecord& call) override;
  void reader_ended(std::uint32_t user, bool threw) override;
  void provision_ended() override;
  void script_logged(LogLevel level, std::string_view text) override {
    if (log_) log_(level, text);
  }
  void loop_held_up(MonoTime since, MonoTime until) override;
  void record_call(const stream::Sample& sample, const CallRecord& call);
  bool has_stray_calls() const { return functions_ && functions_->calls_in_flight() > 0; }
  void record_scripted(const StepRun& run, const ScriptedStepEnd& end, MonoTime now);
  void cut_functions(LaneId id, MonoTime now);
  void begin_provisions();
  void show_alive();

  // End.
  void end_when_idle();
  void end_of_work();
  void end_of_time();
  void cut_off();
  void close_books();
  bool may_begin() const { return !ended_ && iterations_left_ > 0; }

  template <void (LoadExecutor::*member)()>
  static void call(void* self) {
    (static_cast<LoadExecutor*>(self)->*member)();
  }

  plan::Plan plan_;
  plan::Segment segment_;
  EventLoop& loop_;
  TallyRecorder& recorder_;
  FreeListMemory memory_;
  HttpEnvironment environment_;
  std::vector<PreparedStep> steps_;
  ProtocolMask protocols_;  // of the steps
  bool connects_ = true;    // an exchange may have to wait for a connection
  StepGraph graph_;
  std::unique_ptr<StepScript> script_;
  std::unique_ptr<IterationScript> functions_;  // null: the plan has no script
  ScriptLogSink log_;
  ExchangeWatch* const watch_;
  LoadCurve curve_;
  ArrivalSchedule schedule_;
  std::uint32_t lanes_per_user_ = 1;
  bool numbered_ = false;  // the plan has rows that are assigned by the number of the iteration
  IterationNumberCells own_numbers_{};
  IterationNumbers numbers_{own_numbers_};

  MonoTime start_;
  MonoTime count_from_;     // max() while it is paused in the warm-up
  Duration warmup_left_{};  // when it was paused
  MonoTime end_ = MonoTime::max();
  std::uint64_t iterations_left_ = UINT64_MAX;
  std::uint64_t arrivals_due_ = 0;
  std::uint64_t first_round_ = 0;   // of every user
  std::uint64_t rounds_begun_ = 0;  // by the user with the most of them
  std::uint32_t lanes_busy_ = 0;
  std::uint32_t users_most_ = 0;     // open loop: limit of users
  std::uint32_t users_joining_ = 0;  // open loop: users whose first connection is being opened
  std::uint32_t users_active_ = 0;   // closed loop: users 0 .. n-1 begin iterations
  std::uint32_t lanes_without_rows_ = 0;
  std::uint32_t provisions_open_ = 0;
  std::uint32_t functions_cut_ = 0;  // of the user that is being cut: each counts for one of its calls in flight
  std::uint16_t cut_step_ = 0;       // step of the last of these functions
  bool ended_ = false;
  bool out_of_time_ = false;
  bool cut_ = false;  // the graceful stop is over: no step or function begins

  std::vector<std::unique_ptr<VirtualUser>> users_;
  std::vector<LaneId> free_lanes_;  // open loop: the last one freed is used first, its connection is warm
  ArrivalQueue due_;                // open loop: arrivals that have not begun
  bool on_time_ = true;             // the last arrival was noticed in time
  bool reported_waiting_ = false;   // the recorder shows waiting arrivals
  MonoTime moved_;                  // open loop: when an iteration last began, or an exchange or function ended
  MonoTime idle_until_;             // idle seconds are counted up to here
  Timer curve_timer_;
  Timer arrival_timer_;
  Timer end_timer_;
  Timer cut_timer_;
  Timer alive_timer_;  // with a script
};

}  // namespace hyperscale::load
