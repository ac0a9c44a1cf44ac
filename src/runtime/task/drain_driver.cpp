#include "runtime/task/drain_driver.h"

#include "runtime/clock/clock.h"

#include <utility>

#include <boost/asio/post.hpp>

namespace hyperscale::runtime {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

DrainDriver::DrainDriver(asio::any_io_executor loop, DrainLimits limits, DrainDuties duties)
    : loop_(std::move(loop)), timer_(loop_), machine_(limits), duties_(std::move(duties)) {}

void DrainDriver::post(DrainEvent event) {
  asio::post(loop_, [self = shared_from_this(), event = std::move(event)] { self->step(event); });
}

void DrainDriver::set_limits(DrainLimits limits) {
  asio::post(loop_, [self = shared_from_this(), limits] {
    if (self->machine_.state() == DrainState::kRunning) self->machine_ = DrainMachine(limits);
  });
}

void DrainDriver::step(const DrainEvent& event) {
  const DrainState before = machine_.state();
  const auto actions = machine_.step(event, mono_now());
  if (machine_.state() != before) duties_.on_state(machine_.state());
  for (const DrainAction& action : actions) carry_out(action);
}

void DrainDriver::carry_out(const DrainAction& action) {
  std::visit(Overloaded{
                 [this](const drain::RunPreDrain& run) { duties_.run_pre_drain(run.deadline); },
                 [this](const drain::SignalStop&) { duties_.signal_stop(); },
                 [this](const drain::StopIngress&) { duties_.stop_ingress(); },
                 [this](const drain::RefuseNewWork&) { duties_.refuse_new_work(); },
                 [this](const drain::CloseWorkQueue&) { duties_.close_work_queue(); },
                 [this](const drain::SetTimer& timer) {
                   timer_.expires_at(to_steady(timer.at));
                   timer_.async_wait([self = shared_from_this()](boost::system::error_code error) {
                     if (!error) self->step(drain::Tick{});
                   });
                 },
                 [this](const drain::AbortStragglers&) { duties_.abort_stragglers(); },
                 [this](const drain::StopMetrics&) { duties_.stop_metrics(); },
                 [this](const drain::Exit& exit) {
                   timer_.cancel();
                   duties_.exit(exit.clean);
                 },
             },
             action);
}

}  // namespace hyperscale::runtime
