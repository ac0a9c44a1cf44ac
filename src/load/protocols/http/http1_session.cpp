#include "load/protocols/http/http1_session.h"

#include "base/check.h"
#include "load/protocols/prepared_request.h"
#include "plan/ascii.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hyperscale::load {
namespace {

using results::Outcome;

// Whether a field can be one of always_told(), by its length and first letter alone.
bool may_be_reported(std::string_view name) {
  const char first = static_cast<char>(name[0] | 0x20);
  return (first == 'l' && name.size() == 8) || (first == 's' && name.size() == 10) ||
         (first == 'c' && name.size() == 16);
}

constexpr std::uint16_t kFirstFailureStatus = 400;
// A request up to this size fits into the buffer of a socket that has nothing else to send: it counts as written as
// soon as it is handed over. For larger ones the transport reports how much was sent.
constexpr std::size_t kSendOnceBytesMax = 16 << 10;

}  // namespace

Http1Session::Http1Session(Transport& transport, SessionEvents& events, std::uint32_t pipeline, FirstRequest first,
                           KnownHeads* known_heads)
    : transport_(transport),
      events_(events),
      known_heads_(known_heads),
      queue_(std::max(pipeline, 1U)),
      capacity_(first == FirstRequest::kAlone ? 1 : static_cast<std::uint32_t>(queue_.size())) {}

void Http1Session::send_request(std::uint32_t slot, const PreparedRequest& request) {
  CHECK(usable_ && count_ < queue_.size(), "{} of {} exchanges in flight", count_, queue_.size());
  at(count_) = {.slot = slot, .request = &request};
  ++count_;
  ++unwritten_;
  if (count_ == 1) expect_next();
}

void Http1Session::expect_next() {
  const PreparedRequest& request = *at(0).request;
  parser_.start(request.is_head ? Expect::kNoBody : Expect::kBody, this,
                request.asks_upgrade ? Switching::kAsked : Switching::kRefused,
                request.wants_headers ? nullptr : known_heads_);
  received_ = 0;
  first_byte_reported_ = false;
  head_reported_ = false;
}

void Http1Session::flush() {
  if (unwritten_ == 0 || sending_ || reading_) return;
  const std::uint32_t from = count_ - unwritten_;
  const PreparedRequest& first = *at(from).request;
  const std::uint32_t burst = unwritten_;
  unwritten_ = 0;
  for (std::uint32_t i = 0; i < burst; ++i) hand_over(at(from + i));
  if (burst == 1 && first.lasting) {
    const bool alone = queue_.size() == 1 && first.h1.size() <= kSendOnceBytesMax;
    sending_ = !transport_.send(as_bytes(first.h1), alone ? Sending::kOnce : Sending::kTracked);
    return;
  }
  bool same = first.lasting && first.h1.size() * burst <= first.h1_pipelined.size();
  for (std::uint32_t i = 1; same && i < burst; ++i) same = at(from + i).request == &first;
  if (same) {
    const auto whole = as_bytes(first.h1_pipelined);
    sending_ = !transport_.send(whole.first(first.h1.size() * burst), Sending::kTracked);
    return;
  }
  outgoing_.clear();
  for (std::uint32_t i = 0; i < burst; ++i) outgoing_ += at(from + i).request->h1;
  sending_ = !transport_.send(as_bytes(outgoing_), Sending::kTracked);
}

void Http1Session::hand_over(Pending& pending) {
  pending.begin = handed_;
  handed_ += pending.request->h1.size();
  pending.end = handed_;
}

std::uint64_t Http1Session::sent_of(const Pending& pending) const {
  if (pending.end == 0) return 0;
  return std::clamp(handed_ - transport_.unsent(), pending.begin, pending.end) - pending.begin;
}

ByteCounts Http1Session::bytes_of(std::uint32_t slot) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Pending& pending = queue_[(first_ + i) % queue_.size()];
    if (pending.slot == slot && pending.request != nullptr)
      return {.sent = sent_of(pending), .received = i == 0 ? received_ : 0};
  }
  return {};
}

void Http1Session::on_sent() {
  sending_ = false;
  flush();
}

void Http1Session::on_bytes(ByteView bytes) {
  reading_ = true;
  read_ += bytes.size();
  while (!bytes.empty() && usable_) {
    if (count_ == unwritten_) {  // no written request that these bytes could answer
      usable_ = false;
      end_all(Outcome::kProtocol, {});
      break;
    }
    const ResponseParser::Progress progress = parser_.consume(bytes);
    if (progress.state == ResponseParser::State::kError) {
      refuse(bytes);
      break;
    }
    received_ += progress.consumed;
    bytes = bytes.subspan(progress.consumed);
    if (parser_.begun()) report_first_byte();
    if (parser_.head_complete()) report_head();
    if (progress.state == ResponseParser::State::kMore) break;
    complete();
  }
  reading_ = false;
  if (!usable_) return settle();
  // Answers of a pipeline arrive one by one; the next requests are sent by the half pipeline.
  const bool more_answers_come = count_ > unwritten_;
  if (more_answers_come && unwritten_ * 2 < queue_.size()) return;
  flush();
}

void Http1Session::refuse(ByteView bytes) {
  usable_ = false;
  received_ += bytes.size();
  if (parser_.begun()) report_first_byte();
  events_.on_faulty_bytes(at(0).slot, parser_.faulty_bytes(bytes, kFaultyBytesMax));
  end_all(Outcome::kProtocol, parser_.error());
}

void Http1Session::report_first_byte() {
  if (first_byte_reported_) return;
  first_byte_reported_ = true;
  events_.on_first_byte(at(0).slot);
}

void Http1Session::report_head() {
  if (head_reported_) return;
  head_reported_ = true;
  events_.on_head(at(0).slot, {parser_.status(), 1, parser_.minor_version()});
}

void Http1Session::complete() {
  if (!parser_.keep_alive()) usable_ = false;
  answered_ = true;
  capacity_ = static_cast<std::uint32_t>(queue_.size());
  const Pending done = take_first();
  const std::uint64_t size = done.end - done.begin;
  const ByteCounts bytes{.sent = size <= kSendOnceBytesMax ? size : sent_of(done), .received = received_};
  if (usable_ && count_ > 0) expect_next();
  events_.on_response_complete(done.slot, bytes);  // may send the next request
  if (!usable_) give_back_all();
}

// RFC 9112, section 9.6: after an answer with Connection: close the peer reads nothing more.
void Http1Session::give_back_all() {
  while (count_ > 0) {
    const bool written = count_ > unwritten_;
    const Pending pending = take_first();
    if (pending.request == nullptr) continue;  // abandoned
    if (written) {
      events_.on_unprocessed(pending.slot, {.sent = sent_of(pending)});
    } else {
      events_.on_unwritten(pending.slot);
    }
  }
}

Http1Session::Pending Http1Session::take_first() {
  const Pending pending = at(0);
  first_ = (first_ + 1) % static_cast<std::uint32_t>(queue_.size());
  --count_;
  unwritten_ = std::min(unwritten_, count_);
  return pending;
}

void Http1Session::abandon(std::uint32_t slot) {
  usable_ = false;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (at(i).slot == slot) at(i).request = nullptr;
  end_all(Outcome::kCut, "the connection was given up after a timeout of another exchange");
  settle();
}

void Http1Session::silence() {
  usable_ = false;
  over_reported_ = true;
  count_ = unwritten_ = 0;
}

void Http1Session::on_end() {
  usable_ = false;
  reading_ = true;
  std::string_view detail = "the peer closed the connection before the answer";
  if (count_ > unwritten_) {
    if (parser_.head_complete()) {
      detail = "the peer closed the connection inside the body of the answer";
    } else if (received_ > 0) {
      detail = "the peer closed the connection inside the head of the answer";
    }
    if (parser_.finish() == ResponseParser::State::kComplete) {
      report_head();
      complete();
    }
  }
  reading_ = false;
  lose_all(Outcome::kClosed, detail);
  settle();
}

void Http1Session::on_broken(Outcome outcome, std::string_view detail) {
  usable_ = false;
  if (outcome == Outcome::kReset) {
    lose_all(outcome, detail);
  } else {
    end_all(outcome, detail);
  }
  settle();
}

// The peer has ended the connection. If it had kept it open after an answer, requests may have been in flight at that
// moment.
void Http1Session::lose_all(Outcome outcome, std::string_view detail) {
  if (!answered_) return end_all(outcome, detail);
  if (received_ > 0 && count_ > unwritten_) fail_first(outcome, detail);
  while (count_ > unwritten_) {
    const Pending pending = take_first();
    events_.on_lost(pending.slot, outcome, detail, {.sent = sent_of(pending)});
  }
  give_back_all();
}

void Http1Session::fail_first(Outcome outcome, std::string_view detail) {
  const Pending pending = take_first();
  const ByteCounts bytes{.sent = sent_of(pending), .received = std::exchange(received_, 0)};
  if (pending.request != nullptr) events_.on_response_failed(pending.slot, outcome, detail, bytes);
}

// Written requests fail, the others go to another connection.
void Http1Session::end_all(Outcome outcome, std::string_view detail) {
  while (count_ > unwritten_) fail_first(outcome, detail);
  give_back_all();
}

void Http1Session::settle() {
  if (usable_ || count_ > 0 || reading_ || over_reported_) return;
  over_reported_ = true;
  events_.on_session_over();
}

void Http1Session::on_field(std::string_view name, std::string_view value) {
  // RFC 9110, section 6.5.1: a trailer is not merged into the head; a Location or a cookie in one is ignored.
  if (parser_.head_complete()) return;
  report_first_byte();
  const Pending& pending = at(0);
  if (!pending.request->wants_headers && !may_be_reported(name)) return;
  name_.assign(name);
  std::ranges::transform(name_, name_.begin(), plan::to_lower);
  if (!pending.request->wants_headers && !always_told(name_)) return;
  parser_.head_is_needed();
  events_.on_header(pending.slot, name_, value);
}

void Http1Session::on_body(ByteView bytes) {
  report_first_byte();
  report_head();
  const Pending& pending = at(0);
  if (pending.request->wants_body || parser_.status() >= kFirstFailureStatus) events_.on_body(pending.slot, bytes);
}

}  // namespace hyperscale::load
