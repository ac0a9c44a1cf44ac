#include "apps/hyperscale/try/try_json.h"

#include "apps/hyperscale/try/decoded_body.h"
#include "apps/hyperscale/try/tried_request.h"
#include "apps/hyperscale/try/try_text.h"
#include "base/json_writer.h"
#include "base/terminal_text.h"
#include "plan/byte_escapes.h"

namespace hyperscale::app {
namespace {

using Layout = JsonWriter::Layout;

void write_phase(JsonWriter& json, std::string_view name, Duration time) {
  if (time < Duration::zero()) return;
  json.key(name);
  json.milliseconds(time);
}

void write_answer(JsonWriter& json, const load::TriedExchange& exchange) {
  json.field("status", std::uint32_t{exchange.status});
  json.key("headers");
  json.begin_array();
  for (const auto& [name, value] : exchange.headers) {
    json.begin_array(Layout::kInline);
    json.value(name);
    json.value(value);
    json.end_array();
  }
  json.end_array();
  const DecodedBody body = decode_body(exchange.body, answer_header(exchange, "content-encoding"));
  json.field("body_bytes", std::uint64_t{exchange.body.size()});
  json.key("body");
  if (body.is_text) {
    json.value(body.bytes);
  } else {
    json.null();
  }
}

void write_tls(JsonWriter& json, const load::TlsDetails& tls) {
  json.key("tls");
  json.begin_object();
  json.field("version", tls.version);
  json.field("cipher", tls.cipher);
  json.field("alpn", tls.alpn);
  json.field("resumed", tls.resumed);
  json.field("subject", tls.subject);
  json.field("issuer", tls.issuer);
  json.key("names");
  json.begin_array(Layout::kInline);
  for (const std::string& name : tls.names) json.value(name);
  json.end_array();
  json.field("not_before", tls.not_before);
  json.field("not_after", tls.not_after);
  json.end_object();
}

void write_http(JsonWriter& json, const load::TriedExchange& exchange) {
  json.key("request");
  json.begin_array();
  for (const std::string& line : shown_request(exchange)) json.value(line);
  json.end_array();
  json.field("request_body_bytes", exchange.details.request_body_bytes);
  write_answer(json, exchange);
  if (!exchange.faulty_bytes.empty()) json.field("faulty_bytes", visible(exchange.faulty_bytes, Glyphs::kAscii));
}

// Bytes with escapes, so that a script can restore all of them.
void write_raw(JsonWriter& json, const load::TriedExchange& exchange) {
  json.field("sent", plan::escaped(exchange.details.raw_request));
  json.field("received", plan::escaped(std::string_view(exchange.body).substr(0, kShownBodyBytesMax)));
  json.field("received_bytes", std::uint64_t{exchange.body.size()});
}

}  // namespace

void write_exchange(JsonWriter& json, const load::TriedExchange& exchange) {
  json.begin_object();
  if (!exchange.step.empty()) json.field("step", exchange.step);
  json.field("url", exchange.url);
  json.field("address", exchange.details.address);
  const bool raw = plan::is_raw(exchange.protocol);
  json.field(raw ? "protocol" : "http_version", exchange.details.spoken);
  json.field("outcome", results::name(exchange.outcome));
  json.field("message", exchange.message);
  if (raw) {
    write_raw(json, exchange);
  } else {
    write_http(json, exchange);
  }
  json.field("complete", exchange.complete);
  json.field("bytes_sent", exchange.bytes_sent);
  json.field("bytes_received", exchange.bytes_received);
  json.key("phases_ms");
  json.begin_object(Layout::kInline);
  if (exchange.lookup > Duration::zero()) write_phase(json, "lookup", exchange.lookup);
  write_phase(json, "connect", exchange.connect);
  write_phase(json, "tls", exchange.tls);
  write_phase(json, "first_byte", exchange.first_byte);
  write_phase(json, "total", exchange.total);
  json.end_object();
  if (exchange.details.tls) write_tls(json, *exchange.details.tls);
  json.end_object();
}

std::string try_json(std::span<const load::TriedExchange> exchanges) {
  JsonWriter json;
  json.begin_object();
  json.key("exchanges");
  json.begin_array();
  for (const load::TriedExchange& exchange : exchanges) write_exchange(json, exchange);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace hyperscale::app
