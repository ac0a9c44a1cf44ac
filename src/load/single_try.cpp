#include "load/single_try.h"

#include "base/append_format.h"
#include "load/expectation.h"
#include "load/prepared_plan.h"
#include "load/protocols/http/http_client.h"
#include "load/protocols/http2/free_list_memory.h"
#include "load/protocols/tls/tls_transport.h"

namespace hyperscale::load {
namespace {

class Listener final : public ExchangeListener {
 public:
  explicit Listener(const plan::Plan& plan) : plan_(plan) {}

  std::vector<TriedExchange> exchanges;
  bool step_done = false;
  void begin(const PreparedStep& step) {
    step_ = &step;
    step_done = false;
  }

 private:
  void connection_opened(std::uint32_t) override {}
  void exchange_header(std::uint32_t, std::uint32_t, std::string_view name, std::string_view value) override {
    headers_.emplace_back(name, value);
  }

  void exchange_done(std::uint32_t, std::uint32_t, const ExchangeReport& report) override {
    TriedExchange& tried = exchanges.emplace_back();
    const PreparedRequest& request = *report.request;
    tried.url = request.source->url;
    tried.request_body_bytes = request.body.size();
    tried.status = report.status;
    tried.headers = std::exchange(headers_, {});
    tried.body = report.body;
    std::string_view message = report.message;
    tried.outcome = judge(step_->expect, report, message);
    tried.message = message;
    tried.bytes_sent = report.bytes_sent;
    tried.bytes_received = report.bytes_received;
    tried.connect = report.connect;
    tried.tls = report.tls;
    tried.first_byte = report.first_byte;
    tried.service = report.service;
    tried.total = report.ended - report.started;
    for (const plan::Endpoint& endpoint : plan_.endpoints)
      if (endpoint.host == request.host && endpoint.port == request.port) tried.lookup = endpoint.lookup_time;
    describe_connection(report, tried);
    step_done = !report.is_redirect;
  }

  static void describe_connection(const ExchangeReport& report, TriedExchange& tried) {
    const PreparedRequest& request = *report.request;
    const HttpConnection* connection = report.connection;
    const bool h2 = connection != nullptr && connection->http_major() == 2;
    if (h2) {
      for (const HeaderPair& field : request.h2)
        append_format(tried.request_head, "{}: {}\r\n", field.name, field.value);
    } else {
      tried.request_head = request.h1.substr(0, request.h1.size() - request.body.size() - 2);
    }
    if (connection == nullptr) return;
    if (connection->address() != nullptr) tried.address = connection->address()->to_string();
    if (connection->http_major() > 0) tried.http_version = h2 ? "HTTP/2" : "HTTP/1.1";
    const TlsTransport* secure = connection->secure();
    if (secure != nullptr && connection->state() == HttpConnection::State::kOpen) tried.tls_details = secure->details();
  }

  const plan::Plan& plan_;
  const PreparedStep* step_ = nullptr;
  std::vector<std::pair<std::string, std::string>> headers_;
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
  HttpClient client(environment, listener, {});
  for (PreparedStep& step : *steps) {
    PreparedRequest& request = step.requests.front();
    request.wants_headers = request.wants_body = true;
    request.shape = [&] {
      RequestShape shape = *request.shape;
      shape.wants_headers = shape.wants_body = true;
      return std::make_shared<const RequestShape>(shape);
    }();
    listener.begin(step);
    client.start(0, request, EventLoop::now());
    while (!listener.step_done) {
      (*loop)->run_once();
      environment.retired.clear();
    }
  }
  return std::move(listener.exchanges);
}

}  // namespace hyperscale::load
