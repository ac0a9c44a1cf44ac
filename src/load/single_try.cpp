#include "load/single_try.h"

#include "load/client_set.h"
#include "load/prepared_plan.h"
#include "load/protocols/http2/free_list_memory.h"

namespace hyperscale::load {
namespace {

class Listener final : public ExchangeListener {
 public:
  explicit Listener(const plan::Plan& plan)
      : tried_(plan.endpoints, [this](TriedExchange exchange) { exchanges.push_back(std::move(exchange)); }) {}

  std::vector<TriedExchange> exchanges;
  bool step_done = false;
  void begin(const PreparedStep& step) {
    step_ = &step;
    step_done = false;
  }

 private:
  void connection_opened(std::uint32_t, Protocol, std::uint8_t) override {}
  void connection_bytes(std::uint32_t, const ByteCounts&) override {}
  void exchange_header(std::uint32_t, std::uint32_t slot, std::string_view name, std::string_view value) override {
    tried_.watched_header(slot, name, value);
  }
  void exchange_done(std::uint32_t, std::uint32_t slot, const ExchangeReport& report) override {
    tried_.watched_exchange(slot, {}, step_->expect, report);
    step_done = !report.is_redirect;
  }

  TriedExchanges tried_;
  const PreparedStep* step_ = nullptr;
};

}  // namespace

Result<std::vector<TriedExchange>> try_plan(const plan::Plan& plan) {
  auto loop = make_event_loop(LoopBackend::kEpoll);
  if (!loop) return fail(loop.error());
  auto steps = prepare_steps(plan);
  if (!steps) return fail(steps.error());
  FreeListMemory memory;
  HttpEnvironment environment(**loop);
  environment.memory = &memory;
  if (auto ready = prepare_environment(plan, *steps, environment); !ready) return fail(ready.error());
  Listener listener(plan);
  ClientSet clients(environment, listener, {}, protocols_of(*steps));
  for (PreparedStep& step : *steps) {
    Prepared& request = *step.requests.front();
    request.want_all();
    listener.begin(step);
    clients.of(request.protocol).start(0, request, EventLoop::now());
    while (!listener.step_done) {
      (*loop)->run_once();
      environment.bury();
    }
  }
  return std::move(listener.exchanges);
}

}  // namespace hyperscale::load
