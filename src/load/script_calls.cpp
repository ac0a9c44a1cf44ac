#include "load/script_calls.h"

#include "load/expectation.h"
#include "load/prepared_plan.h"
#include "load/protocols/http/content_decoding.h"
#include "results/run_result.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

constexpr std::size_t kHeadBytes = 256;  // of a typical answer

// Adds up a phase over redirects; the answer after a redirect may have no such phase, such as connecting.
void add_phase(Duration& sum, Duration more) {
  if (more == stream::kNoPhase) return;
  sum = sum == stream::kNoPhase ? more : sum + more;
}

}  // namespace

ScriptCalls::ScriptCalls(std::uint32_t first_slot, RequestShape shape, std::shared_ptr<KeptBodies> bodies)
    : first_slot_(first_slot), shape_(std::move(shape)), bodies_(std::move(bodies)) {
  shape_.wants_body = true;
  shape_.wants_headers = true;
}

ScriptCalls::User& ScriptCalls::user_at(std::uint32_t user) {
  if (users_.size() <= user) users_.resize(user + 1);
  return users_[user];
}

Result<std::shared_ptr<const Prepared>> ScriptCalls::prepared(const std::shared_ptr<const ScriptedRequest>& what) {
  if (what->repeats)
    if (const auto found = known_.find(what); found != known_.end()) return found->second;
  auto made = prepare_call(what->request, shape_);
  if (!made) return fail(made.error());
  (*made)->timeout = what->timeout;
  (*made)->lasting = what->repeats && known_.size() < kPreparedCallsMax;
  const bool kept = (*made)->lasting;
  std::shared_ptr<const Prepared> ready = std::move(*made);
  if (kept) known_.emplace(what, ready);
  return ready;
}

Status ScriptCalls::start(ClientSet& clients, ScriptCall call, MonoTime now, bool counted) {
  auto request = prepared(call.what);
  if (!request) return refuse(std::move(call), request.error());
  auto& slots = user_at(call.user).slots;
  const auto free = std::ranges::find(slots, 0U, &InFlight::number);
  const auto at = static_cast<std::uint32_t>(free - slots.begin());
  if (at >= kCallsAtOnceMax)
    return refuse(std::move(call), {.code = ErrorCode::kInvalidArgument,
                                    .context = fmt::format("a user cannot have more than {} calls at once", at)});
  if (free == slots.end()) slots.emplace_back();
  InFlight& made = slots[at];
  made.number = call.number;
  made.first_start = now;
  made.no_room = false;
  made.request = std::move(*request);
  made.record = {};
  made.record.what = std::move(call.what);
  made.record.counted = counted;
  made.record.sample.service = stream::kNoPhase;
  ++in_flight_;
  const Prepared& sent = *made.request;
  ProtocolClient& client = clients.of(sent.protocol);
  client.reserve_slots(first_slot_ + at + 1);
  client.start(first_slot_ + at, sent, now);
  return {};
}

// The function gets an error and may return the call as the result of its step like any other. If it does not, no
// request is missing in the results: it was never sent.
Status ScriptCalls::refuse(ScriptCall call, Error why) {
  CallRecord record;
  record.what = std::move(call.what);
  record.sample.service = stream::kNoPhase;
  record.outcome = Outcome::kScript;
  record.message = why.context;
  user_at(call.user).ended.push_back({.number = call.number, .record = keep(std::move(record)), .returned = true});
  return fail(std::move(why));
}

void ScriptCalls::header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value) {
  auto& heads = user_at(user).heads;
  if (heads.size() <= slot) heads.resize(slot + 1);
  std::string& head = heads[slot];
  if (head.empty()) head.reserve(kHeadBytes);
  head.append(name).push_back('\n');
  head.append(value).push_back('\n');
}

void ScriptCalls::forget_headers(std::uint32_t user, std::uint32_t slot) {
  auto& heads = user_at(user).heads;
  if (slot < heads.size()) heads[slot].clear();
}

ScriptAnswer ScriptCalls::answer_of(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) {
  ScriptAnswer answer;
  auto& heads = user_at(user).heads;
  if (slot < heads.size()) answer.head = std::exchange(heads[slot], {});
  answer.request = report.request->source;
  answer.duration = report.ended - report.started;
  if (!report.complete) {
    answer.error = report.message.empty() ? results::description(report.outcome) : report.message;
    answer.head.clear();
    return answer;
  }
  answer.status = report.status;
  if (read_body(report, answer)) return answer;
  if (owns(slot)) {
    user_at(user).slots[slot - first_slot_].no_room = true;
    answer.status = 0;
    answer.error = kNoRoomForBody;
  }
  answer.body_cut = true;
  return answer;
}

// False: the executor's bound on kept bodies is reached, and this body is not kept.
bool ScriptCalls::read_body(const ExchangeReport& report, ScriptAnswer& answer) const {
  answer.body_cut = report.body_cut;
  std::optional<std::string> plain;
  if (!report.content_encoding.empty()) plain = decode_content(report.body, report.content_encoding, kKeptBodyBytesMax);
  const std::size_t bytes = plain ? plain->size() : report.body.size();
  if (bytes == 0) return true;
  answer.kept = KeptBodies::share(bodies_, bytes);
  if (!answer.kept) return false;
  if (!plain) {
    answer.body = report.body;
    return true;
  }
  answer.body = std::move(*plain);
  answer.body_cut = answer.body_cut || answer.body.size() == kKeptBodyBytesMax;
  return true;
}

void ScriptCalls::note(InFlight& call, const ExchangeReport& report) {
  CallRecord& record = call.record;
  stream::Sample& sample = record.sample;
  sample.bytes_sent += report.bytes_sent;
  sample.bytes_received += report.bytes_received;
  add_phase(sample.service, report.service);
  add_phase(sample.connect, report.connect);
  add_phase(sample.tls, report.tls);
  record.connections_opened += report.connections_opened;
  record.tls_resumed += report.tls_resumed;
  record.resent += report.resent;
  record.sent = report.sent && !report.turned_away;
  if (report.is_redirect) {
    ++record.redirects;
    ++record.redirect_statuses[std::min<std::size_t>(report.status - kFirstRedirectStatus, kRedirectStatuses - 1)];
    return;
  }
  sample.first_byte = report.first_byte;
  sample.status = report.complete ? report.status : std::uint16_t{0};
  record.answered = report.complete && !call.no_room;
  sample.duration = report.ended - call.first_start;
  sample.ended = report.ended;
  std::string_view message = report.message;
  record.outcome = judge(record.what->expect, report, message);
  if (call.no_room) {
    record.outcome = Outcome::kBodyLimit;
    sample.status = 0;
    message = kNoRoomForBody;
  }
  sample.outcome = static_cast<std::uint8_t>(record.outcome);
  if (!results::is_error(record.outcome)) return;
  record.message = message;
  record.body_start = report.body.substr(0, results::kFailureBodyBytesMax);
}

std::optional<ScriptCalls::Done> ScriptCalls::done(std::uint32_t user, std::uint32_t slot,
                                                   const ExchangeReport& report) {
  User& owner = user_at(user);
  InFlight& call = owner.slots[slot - first_slot_];
  note(call, report);
  if (report.is_redirect) {
    forget_headers(user, slot);
    return std::nullopt;
  }
  Done done{
      .number = call.number, .wanted = unwanted_.empty() || std::erase(unwanted_, call.number) == 0, .record = {}};
  if (done.wanted) {
    owner.ended.push_back({.number = call.number, .record = keep(std::move(call.record)), .returned = false});
  } else {
    done.record = std::move(call.record);
  }
  --in_flight_;
  call.number = 0;
  call.request.reset();
  return done;
}

std::uint32_t ScriptCalls::keep(CallRecord record) {
  if (free_records_.empty()) {
    free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.emplace_back();
  }
  const std::uint32_t at = free_records_.back();
  free_records_.pop_back();
  records_[at] = std::move(record);
  return at;
}

const CallRecord* ScriptCalls::returned(std::uint32_t user, CallNumber number) {
  auto& ended = user_at(user).ended;
  const auto found = std::ranges::find(ended, number, &Ended::number);
  if (found == ended.end()) return nullptr;
  found->returned = true;
  return &records_[found->record];
}

}  // namespace hyperscale::load
