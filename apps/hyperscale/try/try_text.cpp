#include "apps/hyperscale/try/try_text.h"

#include "apps/hyperscale/try/decoded_body.h"
#include "apps/hyperscale/try/tried_request.h"
#include "base/number_text.h"
#include "base/terminal_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::app {
namespace {

class Page {
 public:
  explicit Page(Glyphs glyphs) : glyphs_(glyphs) {}

  void line(std::string_view mark, std::string_view foreign) {
    text_ += fmt::format("{}{}\n", mark, visible(foreign, glyphs_));
  }
  void blank() { text_ += '\n'; }
  void phase(std::string_view name, Duration time) {
    if (time < Duration::zero()) return;
    text_ += fmt::format("  {}{}\n", left(name, 14), right(latency_text(time, glyphs_), 10));
  }
  void fact(std::string_view name, std::string_view foreign) {
    if (!foreign.empty()) text_ += fmt::format("  {}{}\n", left(name, 14), visible(foreign, glyphs_));
  }
  // Lines of the text, each after the mark; CR LF counts as one line end.
  void lines(std::string_view mark, std::string_view foreign) {
    while (!foreign.empty()) {
      const std::size_t end = foreign.find('\n');
      std::string_view one = foreign.substr(0, end);
      if (one.ends_with('\r')) one.remove_suffix(1);
      line(mark, one);
      foreign = end == std::string_view::npos ? std::string_view() : foreign.substr(end + 1);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  Glyphs glyphs_;
  std::string text_;
};

// Bytes that were sent or received, after the mark.
void show_bytes(Page& page, std::string_view mark, std::string_view bytes, std::size_t all) {
  for (const std::string& line : shown_bytes(bytes.substr(0, kShownBodyBytesMax))) page.line(mark, line);
  const std::size_t shown = std::min(bytes.size(), kShownBodyBytesMax);
  if (shown < all) page.line(mark, fmt::format("(the first {} of {} bytes)", shown, all));
}

void show_raw(Page& page, const load::TriedExchange& exchange) {
  show_bytes(page, "> ", exchange.details.raw_request, exchange.details.request_body_bytes);
  page.blank();
  show_bytes(page, "< ", exchange.body, exchange.body.size());
  if (exchange.complete && exchange.body.empty()) page.line("< ", "(an empty datagram)");
  if (!results::is_error(exchange.outcome)) return;
  if (!exchange.body.empty()) page.blank();
  page.line("failed: ",
            exchange.message.empty() ? results::description(exchange.outcome) : std::string_view(exchange.message));
}

void show_request(Page& page, const load::TriedExchange& exchange) {
  for (const std::string& line : shown_request(exchange)) page.line("> ", line);
  if (exchange.details.request_body_bytes > 0)
    page.line("> ", fmt::format("({} bytes of body)", exchange.details.request_body_bytes));
}

void show_body(Page& page, const load::TriedExchange& exchange) {
  if (exchange.body.empty()) return;
  const DecodedBody body = decode_body(exchange.body, answer_header(exchange, "content-encoding"));
  page.blank();
  if (body.is_text) page.lines("  ", std::string_view(body.bytes).substr(0, kShownBodyBytesMax));
  if (!body.is_text) page.line("  ", fmt::format("({} that are no text)", bytes_text(body.bytes.size())));
  if (!body.note.empty()) page.line("  ", fmt::format("({})", body.note));
  if (body.is_text && body.bytes.size() > kShownBodyBytesMax) {
    page.line("  ", fmt::format("(the first {} of {} bytes)", kShownBodyBytesMax, body.bytes.size()));
  }
}

// The received part of an incomplete answer.
void show_part(Page& page, const load::TriedExchange& exchange) {
  if (exchange.complete || exchange.bytes_received == 0) return;
  if (!exchange.faulty_bytes.empty()) return page.line("bytes there: ", exchange.faulty_bytes);
  if (exchange.status == 0)
    return page.line("received: ", fmt::format("{} bytes, no complete head", count_text(exchange.bytes_received)));
  const std::string_view length = answer_header(exchange, "content-length");
  page.line("received: ", fmt::format("{} bytes of the body{}{}", count_text(exchange.body.size()),
                                      length.empty() ? "" : "; Content-Length is ", length));
}

void show_answer(Page& page, const load::TriedExchange& exchange) {
  if (exchange.status != 0) {
    page.blank();
    page.line("< ", fmt::format("{} {}", exchange.details.spoken, exchange.status));
    for (const auto& [name, value] : exchange.headers) page.line("< ", fmt::format("{}: {}", name, value));
    show_body(page, exchange);
  }
  if (results::is_error(exchange.outcome)) {
    page.blank();
    const std::string_view why = exchange.message.empty() ? results::description(exchange.outcome) : exchange.message;
    page.line("failed: ", why);
    show_part(page, exchange);
  }
}

void show_connection(Page& page, const load::TriedExchange& exchange) {
  page.blank();
  page.phase("name lookup", exchange.lookup > Duration::zero() ? exchange.lookup : stream::kNoPhase);
  page.phase("connect", exchange.connect);
  page.phase("TLS", exchange.tls);
  page.phase("first byte", exchange.first_byte);
  page.phase("total", exchange.total);
  const std::string& address = exchange.details.address;
  page.fact("address", plan::is_raw(exchange.protocol) && !exchange.details.spoken.empty()
                           ? fmt::format("{} by {}", address, exchange.details.spoken)
                           : address);
  page.fact("data",
            fmt::format("{} sent, {} received", bytes_text(exchange.bytes_sent), bytes_text(exchange.bytes_received)));
  if (!exchange.details.tls) return;
  const load::TlsDetails& tls = *exchange.details.tls;
  page.fact("TLS", fmt::format("{}, {}{}{}", tls.version, tls.cipher, tls.alpn.empty() ? "" : ", ALPN " + tls.alpn,
                               tls.resumed ? ", resumed" : ""));
  page.fact("certificate", tls.subject);
  page.fact("issuer", tls.issuer);
  page.fact("names", fmt::format("{}", fmt::join(tls.names, ", ")));
  if (!tls.not_after.empty()) page.fact("valid", fmt::format("{} to {}", tls.not_before, tls.not_after));
}

}  // namespace

std::string try_text(std::span<const load::TriedExchange> exchanges, Glyphs glyphs) {
  Page page(glyphs);
  for (const load::TriedExchange& exchange : exchanges) {
    if (&exchange != exchanges.data()) page.line("\nthen ", exchange.url);
    if (plan::is_raw(exchange.protocol)) {
      show_raw(page, exchange);
    } else {
      show_request(page, exchange);
      show_answer(page, exchange);
    }
    show_connection(page, exchange);
  }
  return page.take();
}

}  // namespace hyperscale::app
