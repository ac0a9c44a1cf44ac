#include "load/tried_exchange.h"

#include "base/append_format.h"
#include "load/expectation.h"
#include "load/protocols/http/http_connection.h"
#include "load/protocols/prepared_request.h"
#include "load/protocols/tls/tls_transport.h"

namespace hyperscale::load {
namespace {

void describe_connection(const ExchangeReport& report, TriedExchange& tried) {
  const PreparedRequest& request = *report.request;
  const HttpConnection* connection = report.connection;
  const bool h2 = connection != nullptr && connection->http_major() == 2;
  if (h2) {
    for (const HeaderPair& field : request.h2) append_format(tried.request_head, "{}: {}\r\n", field.name, field.value);
  } else {
    tried.request_head = request.h1.substr(0, request.h1.size() - request.body.size() - 2);
  }
  if (connection == nullptr) return;
  if (connection->address() != nullptr) tried.address = connection->address()->to_string();
  if (connection->http_major() > 0) tried.http_version = h2 ? "HTTP/2" : "HTTP/1.1";
  const TlsTransport* secure = connection->secure();
  if (secure != nullptr && connection->state() == HttpConnection::State::kOpen) tried.tls_details = secure->details();
}

}  // namespace

void TriedExchanges::watched_exchange(std::uint32_t slot, std::string_view step, const plan::Expectation& expect,
                                      const ExchangeReport& report) {
  TriedExchange tried;
  const PreparedRequest& request = *report.request;
  tried.step = step;
  tried.url = request.source->url;
  tried.request_body_bytes = request.body.size();
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
  describe_connection(report, tried);
  take_(std::move(tried));
}

}  // namespace hyperscale::load
