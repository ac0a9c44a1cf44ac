// Every case of http1_cases.cpp over the session that runs use, with two requests each: what becomes of the first, and
// on which connection the second is answered.
#include "http1_cases.h"

#include "load/protocols/http/http1_session.h"
#include "load/protocols/http/request_preparation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

constexpr std::uint32_t kFirst = 1;
constexpr std::uint32_t kSecond = 2;
constexpr std::string_view kAnswer = "HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nsecond";

PreparedRequest request_for(Ask ask) {
  plan::Request request{.method = ask == Ask::kHead ? "HEAD" : "GET", .url = "http://h/", .headers = {}, .body = ""};
  if (ask == Ask::kUpgrade) request.headers = {{"Connection", "upgrade"}, {"Upgrade", "x"}};
  PreparedRequest ready = *prepare_request(request, {});
  ready.lasting = ready.wants_body = true;
  return ready;
}

struct Wire final : Transport {
  std::string written;
  void start(StreamId) override {}
  bool send(ByteView bytes, Sending) override {
    written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }
  void close() override {}
};

enum class Start : std::uint8_t { kAfterwards, kInsideTheAnswer };

// A client with two requests. The second begins when all of the first answer has been read, or as soon as it is
// complete; one that is given back or lost goes to a new connection.
class Client final : public SessionEvents {
 public:
  Client(const Http1Case& one, Start second) : case_(one), second_(second) { open(); }

  struct Exchange {
    std::uint16_t status = 0;
    std::string body;
    std::string fate;
    std::size_t connections = 0;  // that had been opened when it was answered
  };
  std::map<std::uint32_t, Exchange> exchanges;
  std::size_t connections() const { return sessions_.size(); }

  void run(const std::vector<std::string>& pieces) {
    send(kFirst, first_request_);
    feed(pieces);
    const Http1Session& first_session = *sessions_.front();
    if (case_.ends == Ends::kCloses && !over_) sessions_.front()->on_end();
    if (case_.ends == Ends::kResets && !over_) sessions_.front()->on_broken(Outcome::kReset, "reset");
    if (exchanges[kFirst].fate.empty()) {
      exchanges[kFirst].fate = "waits";
      sessions_.front()->abandon(kFirst);
    }
    EXPECT_EQ(first_session.usable(), !over_) << "an end is told";
    if (second_ == Start::kAfterwards || !second_sent_) send_second();
    if (given_back_) send_elsewhere();
    if (exchanges[kSecond].fate.empty()) sessions_.back()->on_bytes(as_bytes(kAnswer));
  }

 private:
  void open() {
    over_ = false;
    wires_.push_back(std::make_unique<Wire>());
    sessions_.push_back(std::make_unique<Http1Session>(*wires_.back(), *this, 1));
  }
  void send(std::uint32_t slot, const PreparedRequest& request) {
    Wire& wire = *wires_.back();
    const std::size_t before = wire.written.size();
    sessions_.back()->send_request(slot, request);
    sessions_.back()->flush();
    if (!reading_) EXPECT_EQ(wire.written.substr(before), request.h1);
  }
  void feed(const std::vector<std::string>& pieces) {
    for (const std::string& piece : pieces) {
      if (over_) return;  // the transport is closed
      reading_ = true;
      sessions_.front()->on_bytes(as_bytes(piece));
      reading_ = false;
    }
  }
  void send_second() {
    second_sent_ = true;
    if (over_ || !sessions_.back()->usable()) open();
    send(kSecond, second_request_);
  }
  void send_elsewhere() {
    given_back_ = false;
    open();
    send(kSecond, second_request_);
  }
  void end(std::uint32_t slot, std::string fate) {
    EXPECT_EQ(exchanges[slot].fate, "") << "one end per request";
    exchanges[slot].fate = std::move(fate);
    exchanges[slot].connections = sessions_.size();
  }

  void on_first_byte(std::uint32_t) override {}
  void on_header(std::uint32_t, std::string_view, std::string_view) override {}
  void on_head(std::uint32_t slot, const ResponseHead& head) override { exchanges[slot].status = head.status; }
  void on_body(std::uint32_t slot, ByteView bytes) override {
    exchanges[slot].body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void on_response_complete(std::uint32_t slot, const ByteCounts&) override {
    end(slot, "complete");
    const bool goes_on = slot == kFirst && second_ == Start::kInsideTheAnswer && sessions_.front()->usable();
    if (goes_on) send_second();
  }
  void on_response_failed(std::uint32_t slot, Outcome outcome, std::string_view, const ByteCounts&) override {
    end(slot, std::string(results::name(outcome)));
  }
  void on_unprocessed(std::uint32_t, const ByteCounts&) override { ADD_FAILURE() << "nothing is pipelined"; }
  void on_unwritten(std::uint32_t slot) override {
    EXPECT_EQ(slot, kSecond);
    EXPECT_EQ(wires_.front()->written, first_request_.h1) << "the second was not written";
    given_back_ = true;
  }
  void on_lost(std::uint32_t slot, Outcome, std::string_view, const ByteCounts&) override {
    EXPECT_EQ(slot, kSecond);
    given_back_ = true;
  }
  void on_session_over() override {
    EXPECT_FALSE(over_) << "told once";
    over_ = true;
  }

  const Http1Case& case_;
  Start second_;
  PreparedRequest first_request_ = request_for(case_.ask);
  PreparedRequest second_request_ = request_for(Ask::kGet);
  std::vector<std::unique_ptr<Wire>> wires_;
  std::vector<std::unique_ptr<Http1Session>> sessions_;
  bool over_ = false;  // of the session that is used
  bool reading_ = false;
  bool second_sent_ = false;
  bool given_back_ = false;
};

std::string text_of(Fate fate) {
  constexpr std::array kTexts{"complete", "protocol", "closed", "reset", "waits"};
  return kTexts[static_cast<std::size_t>(fate)];
}

void expect_case(const Http1Case& one, Start second, const std::vector<std::string>& pieces) {
  Client client(one, second);
  client.run(pieces);
  const Client::Exchange& first = client.exchanges[kFirst];
  EXPECT_EQ(first.fate, text_of(one.fate));
  if (one.fate == Fate::kComplete) {
    EXPECT_EQ(first.status, one.status);
    EXPECT_EQ(first.body, one.body);
  }
  const Client::Exchange& next = client.exchanges[kSecond];
  EXPECT_EQ(next.fate, "complete");
  EXPECT_EQ(next.status, 201);
  EXPECT_EQ(next.body, "second");
  EXPECT_EQ(client.connections(), one.next == Next::kSameConnection ? 1U : 2U);
}

std::vector<std::string> bytes_of(const std::string& text) {
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  return bytes;
}

class Http1Cases : public testing::TestWithParam<Http1Case> {};

TEST_P(Http1Cases, InOneRead) {
  expect_case(GetParam(), Start::kAfterwards, {GetParam().answer});
}

TEST_P(Http1Cases, ByteByByte) {
  expect_case(GetParam(), Start::kAfterwards, bytes_of(GetParam().answer));
}

TEST_P(Http1Cases, InEveryTwoReads) {
  const std::string& answer = GetParam().answer;
  const std::size_t step = std::max<std::size_t>(1, answer.size() / 1000);
  for (std::size_t cut = 1; cut < answer.size(); cut += step) {
    SCOPED_TRACE(cut);
    expect_case(GetParam(), Start::kAfterwards, {answer.substr(0, cut), answer.substr(cut)});
  }
}

// As a user without think time does. What came in the same read and answers nothing sends the next request elsewhere.
TEST_P(Http1Cases, NextRequestInsideTheAnswer) {
  expect_case(GetParam(), Start::kInsideTheAnswer, {GetParam().answer});
}

// Stray bytes that are read after the next request was written cannot be told from its answer.
TEST_P(Http1Cases, NextRequestInsideTheAnswerByteByByte) {
  if (GetParam().extra == Extra::kStray) return;
  expect_case(GetParam(), Start::kInsideTheAnswer, bytes_of(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(Rfc9112, Http1Cases, testing::ValuesIn(all_http1_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(Http1CaseTable, HasSixtyCasesWithNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Http1Case& one : all_http1_cases()) names.insert(one.name);
  EXPECT_EQ(names.size(), all_http1_cases().size());
  EXPECT_GE(names.size(), 60U);
}

}  // namespace
}  // namespace hyperscale::load
