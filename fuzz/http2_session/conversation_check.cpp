// The conversation as this client reads it, and the comparison.
#include "base/check.h"
#include "conversation.h"
#include "load/protocols/http2/http2_session.h"
#include "load/protocols/prepared_request.h"

namespace hyperscale::load::fuzz {
namespace {

class Client final : public Transport, public SessionEvents {
 public:
  Client() : session_(*this, *this, memory_, {.streams_max = kRequests}) {
    for (std::uint32_t slot = 0; slot < kRequests; ++slot) session_.send_request(slot, request(slot));
    session_.flush();
  }

  Reading read(const Said& said) {
    std::size_t at = 0;
    const ByteView bytes = as_bytes(said.bytes);
    for (const std::size_t cut : said.cuts) {
      // A copy of its own, so that a sanitizer sees a read beyond it and a view that is kept for too long.
      if (cut > at) session_.on_bytes(std::vector<std::uint8_t>(bytes.begin() + at, bytes.begin() + cut));
      at = cut;
    }
    if (at < bytes.size()) session_.on_bytes(std::vector<std::uint8_t>(bytes.begin() + at, bytes.end()));
    reading_.over = over_;
    Reading reading = reading_;
    session_.on_end();
    for (const ExchangeReading& exchange : reading_.exchanges) CHECK(exchange.fate != Fate::kOpen);
    CHECK(over_ && session_.in_flight() == 0);
    return reading;
  }

 private:
  static const PreparedRequest& request(std::uint32_t slot) {
    static const auto kAll = [] {
      std::array<PreparedRequest, kRequests> all;
      for (std::size_t i = 0; i < kRequests; ++i) {
        all[i].is_head = i == 1;
        all[i].body = i == 2 ? "b" : "";
        all[i].h2 = {{":method", i == 1   ? "HEAD"
                                 : i == 2 ? "POST"
                                          : "GET"},
                     {":scheme", "http"},
                     {":authority", "a"},
                     {":path", "/"}};
        all[i].wants_headers = i == 3;
        all[i].wants_body = true;
        all[i].lasting = true;
      }
      return all;
    }();
    return kAll[slot];
  }

  void start(StreamId) override {}
  bool send(ByteView, Sending) override { return true; }
  void close() override {}

  void on_first_byte(std::uint32_t slot) override { open(slot); }
  void on_header(std::uint32_t slot, std::string_view name, std::string_view) override {
    CHECK(!name.empty());
    open(slot);
  }
  void on_head(std::uint32_t slot, const ResponseHead& head) override { open(slot).status = head.status; }
  void on_body(std::uint32_t slot, ByteView bytes) override {
    CHECK(open(slot).status >= 200 && !bytes.empty());
    open(slot).body.append(bytes.begin(), bytes.end());
  }
  void on_response_complete(std::uint32_t slot, const ByteCounts&) override { open(slot).fate = Fate::kComplete; }
  void on_response_failed(std::uint32_t slot, results::Outcome, std::string_view detail, const ByteCounts&) override {
    open(slot).fate = Fate::kFailed;
    reading_.problem = detail;
  }
  void on_unprocessed(std::uint32_t slot, const ByteCounts&) override { open(slot).fate = Fate::kUnprocessed; }
  void on_session_over() override {
    CHECK(!over_);
    over_ = true;
  }

  ExchangeReading& open(std::uint32_t slot) {
    CHECK(!over_ && reading_.exchanges[slot].fate == Fate::kOpen);
    return reading_.exchanges[slot];
  }

  Reading reading_;
  bool over_ = false;
  FreeListMemory memory_;
  Http2Session session_;
};

void compare(const Reading& ours, const Reading& theirs) {
  for (std::size_t i = 0; i < kRequests; ++i) {
    const ExchangeReading& a = ours.exchanges[i];
    const ExchangeReading& b = theirs.exchanges[i];
    CHECK(a.fate == b.fate && (a.fate != Fate::kComplete || a == b),
          "request {}: fate {} / {}, status {} / {}, body {} / {}; \"{}\" / \"{}\"", i, static_cast<int>(a.fate),
          static_cast<int>(b.fate), a.status, b.status, a.body.size(), b.body.size(), ours.problem, theirs.problem);
  }
  CHECK(ours.over == theirs.over, "over: {} / {}; \"{}\" / \"{}\"", ours.over, theirs.over, ours.problem,
        theirs.problem);
}

}  // namespace

void check_conversation(ByteView input) {
  if (input.size() < kControlBytes) return;
  const Said said = said_of(input);
  Client().read(said);
  const Said compared = without_known_differences(said);
  compare(Client().read(compared), read_with_nghttp2(compared));
}

}  // namespace hyperscale::load::fuzz
