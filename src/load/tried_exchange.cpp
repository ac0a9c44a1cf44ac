#include "load/tried_exchange.h"

#include "load/expectation.h"
#include "load/protocols/protocol_client.h"

namespace hyperscale::load {
void TriedExchanges::watched_exchange(std::uint32_t slot, std::string_view step, const plan::Expectation& expect,
                                      const ExchangeReport& report) {
  TriedExchange tried;
  const Prepared& request = *report.request;
  tried.step = step;
  tried.url = request.source->url;
  tried.protocol = request.protocol;
  tried.details = report.client->details(slot, report);
  tried.status = report.status;
  tried.headers = std::exchange(headers_[slot], {});
  (report.body_is_faulty ? tried.faulty_bytes : tried.body) = report.body;
  tried.complete = report.complete;
  std::string_view message = report.message;
  tried.outcome = judge(expect, report, message);
  tried.message = message;
  tried.bytes_sent = report.bytes_sent;
  tried.bytes_received = report.bytes_received;
  tried.connect = report.connect;
  tried.tls = report.tls;
  tried.first_byte = report.first_byte;
  tried.service = report.service;
  tried.total = report.ended - report.started;
  for (const plan::Endpoint& endpoint : endpoints_)
    if (endpoint.host == request.host && endpoint.port == request.port) tried.lookup = endpoint.lookup_time;
  take_(std::move(tried));
}

}  // namespace hyperscale::load
