// TriedExchange: one exchange with everything kept: request, answer, duration of each phase. ExchangeWatch: the
// interface through which an executor reports every exchange in full. TriedExchanges: an ExchangeWatch that keeps them.
//
// Single-threaded, the executor's loop. A watched executor asks for all headers and bodies, which is slow: use it for a
// single iteration, not for load.
#pragma once

#include "load/protocols/exchange_details.h"
#include "load/protocols/exchange_report.h"
#include "plan/plan.h"
#include "plan/protocol.h"
#include "results/outcome.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::load {

// One request and its answer; a redirect is followed by another TriedExchange.
struct TriedExchange {
  std::string step;  // its name; empty for a setup or teardown
  std::string url;
  plan::Protocol protocol = plan::Protocol::kHttp;
  ExchangeDetails details;
  std::uint16_t status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;          // after transfer decoding, not decompressed
  std::string faulty_bytes;  // around the place where the answer breaks the protocol; empty when it does not
  bool complete = false;     // the answer was read to its end
  results::Outcome outcome = results::Outcome::kOk;
  std::string message;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  Duration lookup{};  // of the host name, before the exchange
  Duration connect = stream::kNoPhase;
  Duration tls = stream::kNoPhase;
  Duration first_byte = stream::kNoPhase;
  Duration service = stream::kNoPhase;
  Duration total{};
};

class ExchangeWatch {
 public:
  virtual void watched_header(std::uint32_t slot, std::string_view name, std::string_view value) = 0;
  // `expect` is what the step or call expects.
  virtual void watched_exchange(std::uint32_t slot, std::string_view step, const plan::Expectation& expect,
                                const ExchangeReport& report) = 0;

 protected:
  ~ExchangeWatch() = default;
};

class TriedExchanges final : public ExchangeWatch {
 public:
  using Take = std::function<void(TriedExchange exchange)>;
  // `endpoints` are the plan's; they hold the duration of each lookup.
  TriedExchanges(std::vector<plan::Endpoint> endpoints, Take take)
      : endpoints_(std::move(endpoints)), take_(std::move(take)) {}

  void watched_header(std::uint32_t slot, std::string_view name, std::string_view value) override {
    headers_[slot].emplace_back(name, value);
  }
  void watched_exchange(std::uint32_t slot, std::string_view step, const plan::Expectation& expect,
                        const ExchangeReport& report) override;

 private:
  std::vector<plan::Endpoint> endpoints_;
  Take take_;
  std::map<std::uint32_t, std::vector<std::pair<std::string, std::string>>> headers_;  // by slot
};

}  // namespace hyperscale::load
