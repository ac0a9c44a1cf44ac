// Random messages of the job links within the limits of the codec, for property tests: the same seed gives the same
// message. A full one has every field set, so that a field which the codec forgets is missed.
#pragma once

#include "../arbitrary_message.h"
#include "base/prng.h"
#include "wire/jobs/jobs_codec.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::wire {

class ArbitraryJobMessage {
 public:
  ArbitraryJobMessage(std::uint64_t seed, bool full) : prng_(seed), others_(seed), full_(full) {}

  JobQuestion question(std::size_t kind) {
    switch (kind) {
      case 0:
        return dispatch();
      case 1:
        return WorkflowStart{
            .attempt = attempt(), .boot = boot(), .term = term(), .start_in = time(), .values = values(4)};
      case 2:
        return WorkflowChange{.attempt = attempt(), .boot = boot(), .term = term(), .change = change(number32())};
      case 3:
        return cancel();
      case 4:
        return WorkerQuery{.term = term(), .job = some() ? job() : ""};
      case 5:
        return ResultFetch{.attempt = attempt(), .offset = up_to(kResultBytesMax)};
      case 6:
        return ResultRelease{.attempt = attempt()};
      case 7:
        return BlobWant{.sha256 = digest(), .offset = up_to(kContentBytesMax), .is_content = full_ || coin()};
      case 8:
        return progress();
      case 9:
        return event();
      case 10:
        return final_result(attempt());
      case 11:
        return CancelQuery{.attempt = attempt()};
      default:
        return WorkerRegistration{.node = others_.identity(),
                                  .boot = boot(),
                                  .total_cores = 64,
                                  .available_cores = cores(64),
                                  .drained = some()};
    }
  }

  JobAnswer answer(std::size_t kind) {
    switch (kind) {
      case 0:
        return dispatch_ack();
      case 1:
        return order_ack();
      case 2:
        return WorkflowCancelResponse{.job = job(),
                                      .success = some(),
                                      .cancelled_count = number32(),
                                      .still_running = number32(),
                                      .error = sentence()};
      case 3:
        return worker_answer();
      case 4:
        return part();
      case 5:
        return Released{.was_here = some()};
      case 6:
        return ProgressAck{.accepted = some(),
                           .known = fence(),
                           .leader = leader(),
                           .epoch = number(),
                           .exact_through = number(),
                           .pressure = static_cast<Pressure>(up_to(3)),
                           .delay = time()};
      case 7:
        return ReportAck{.accepted = some(), .known = fence(), .leader = leader(), .epoch = number()};
      case 8:
        return CancelQueryAnswer{.known = some(), .is_cancelled = some(), .current = fence()};
      default:
        return RegistrationAck{.accepted = some(), .error = sentence(), .leader = leader(), .term = term()};
    }
  }

  DispatchContent content() {
    DispatchContent content{.share = share(),
                            .workflow_name = "Log in \xc3\xa9 " + others_.text(1, 100),
                            .workflow = bytes(1, 5000),
                            .blobs = {},
                            .vus = number32() % kVusPerShareMax + 1,
                            .cores = cores(kCoresPerWorkerMax),
                            .first_slot = cores(100),
                            .slots = cores(100),
                            .slot_total = 200 + cores(1000),
                            .datacenter_index = cores(9),
                            .datacenter_count = 10,
                            .split = some(),
                            .context_version = number32(),
                            .context = values(6),
                            .timeout = time(),
                            .stop_without_manager_after = time()};
    for (std::size_t left = entries(5); left > 0; --left)
      content.blobs.push_back({.sha256 = digest(), .bytes = up_to(kBlobBytesMax)});
    return content;
  }

  AttemptId attempt() { return {.share = share(), .fence = fence()}; }
  ShareId share() {
    ShareId share{.job = job(), .workflow = number32(), .part = SharePart::kSteps, .share = number32()};
    if (!full_ && coin()) {
      share.part = coin() ? SharePart::kSetup : SharePart::kTeardown;
      share.share = 0;
    }
    return share;
  }
  WorkflowFinalResult final_result(const AttemptId& attempt) {
    const bool failed = full_ || coin();
    return {.attempt = attempt,
            .end = failed ? AttemptEnd::kFailed : AttemptEnd::kStopped,
            .error = failed ? others_.text(1, 100) : "",
            .digest = digest(),
            .bytes = up_to(kResultBytesMax),
            .context_updates = values(4),
            .elapsed = time(),
            .requests = number(),
            .partial = some()};
  }

 private:
  bool coin() { return prng_.below(2) == 0; }
  bool some() { return full_ || coin(); }
  std::uint64_t up_to(std::uint64_t most) { return 1 + prng_.below(most); }
  std::uint64_t number() { return 1 + (prng_.next() >> (1 + prng_.below(62))); }
  std::uint32_t number32() { return static_cast<std::uint32_t>(1 + (number() & 0x7fffffff)); }
  std::uint32_t cores(std::uint32_t most) { return static_cast<std::uint32_t>(up_to(most)); }
  std::size_t entries(std::size_t most) { return full_ ? 1 + prng_.below(most) : prng_.below(most + 1); }
  Duration time() {
    return Duration(static_cast<std::int64_t>(up_to(static_cast<std::uint64_t>(kShareTimeMax.count()))));
  }
  BootId boot() { return BootId(number()); }
  Term term() { return Term(number()); }
  Fence fence() { return {.epoch = number(), .attempt = number32()}; }
  std::string sentence() { return some() ? "Out of memory: " + others_.text(1, 200) : ""; }
  std::optional<NodeIdentity> leader() { return some() ? std::optional(others_.identity()) : std::nullopt; }

  std::string job() {
    std::string job = others_.text(1, kJobIdBytesMax);
    std::ranges::replace(job, '/', '-');
    return job;
  }
  Sha256 digest() {
    Sha256 digest{};
    for (std::uint8_t& byte : digest) byte = static_cast<std::uint8_t>(prng_.next());
    return digest;
  }
  SharedBytes bytes(std::size_t least, std::size_t most) {
    std::vector<std::uint8_t> bytes(least + prng_.below(most - least + 1));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(prng_.next());
    return SharedBytes::adopt(std::move(bytes));
  }
  NumberedChange change(std::uint32_t number) {
    return {.number = number, .elapsed = time(), .command = others_.text(1, kLoadCommandBytesMax)};
  }
  std::vector<ContextValue> values(std::size_t most) {
    std::vector<ContextValue> values(entries(most));
    for (ContextValue& value : values) {
      value = {.source = "Set up " + others_.text(1, 50),
               .key = others_.text(1, 50),
               .json = "{\"a\":\n" + others_.text(1, 500) + "}",
               .timestamp = number()};
    }
    return values;
  }

  WorkflowDispatch dispatch() {
    WorkflowDispatch dispatch{.attempt = attempt(),
                              .boot = boot(),
                              .term = term(),
                              .digest = digest(),
                              .content_bytes = up_to(kContentBytesMax),
                              .content = {},
                              .from_elapsed = time(),
                              .changes = {}};
    if (some()) {
      dispatch.content = bytes(1, 3000);
      dispatch.content_bytes = dispatch.content.size();
    }
    const std::size_t changes = entries(5);
    for (std::uint32_t n = 1; n <= changes; ++n) dispatch.changes.push_back(change(n));
    return dispatch;
  }
  WorkflowDispatchAck dispatch_ack() {
    const bool accepted = !full_ && coin();
    return {.attempt = attempt(),
            .accepted = accepted,
            .refusal = refusal(accepted),
            .error = sentence(),
            .cores_assigned = cores(kCoresPerWorkerMax),
            .known = fence(),
            .boot = boot()};
  }
  OrderAck order_ack() {
    const bool accepted = !full_ && coin();
    return {.attempt = attempt(),
            .accepted = accepted,
            .refusal = refusal(accepted),
            .error = sentence(),
            .last_change = number32(),
            .elapsed = some() ? std::optional(time()) : std::nullopt};
  }
  Refusal refusal(bool accepted) {
    return accepted ? Refusal::kNone : static_cast<Refusal>(up_to(static_cast<std::uint64_t>(Refusal::kResources)));
  }
  WorkflowCancelRequest cancel() {
    WorkflowCancelRequest cancel{.job = job(),
                                 .shares = {},
                                 .epoch = number(),
                                 .mode = static_cast<CancelMode>(up_to(3)),
                                 .requester_id = others_.text(1, 64),
                                 .reason = sentence()};
    for (std::size_t left = entries(5); left > 0; --left) {
      cancel.shares.push_back(share());
      cancel.shares.back().job = cancel.job;
    }
    return cancel;
  }

  ShareProgress progress() {
    ShareProgress progress{.attempt = attempt(),
                           .figures = {},
                           .sequence = number(),
                           .elapsed = time(),
                           .last_change = number32(),
                           .fast = {},
                           .exact = {}};
    progress.figures = {.job_id = progress.attempt.share.job,
                        .workflow_id = to_string(progress.attempt.share),
                        .workflow_name = "Log in and browse",
                        .status = WorkflowStatus::kRunning,
                        .completed_count = number(),
                        .failed_count = number(),
                        .rate_per_second = 1 + 1000 * prng_.unit(),
                        .elapsed_s = 1 + 100 * prng_.unit(),
                        .timestamp_s = 1 + prng_.unit(),
                        .assigned_cores = {1, cores(64)}};
    progress.figures.step_stats = {
        {.step_name = "GET /", .completed_count = number(), .failed_count = number(), .total_count = number()}};
    if (some()) progress.fast = bytes(1, 500);
    if (some()) progress.exact = bytes(1, 900);
    return progress;
  }
  WorkflowEvent event() {
    const bool refused = full_ || coin();
    return {.attempt = attempt(),
            .number = number32(),
            .event = refused ? AttemptEvent::kRefused : AttemptEvent::kStarted,
            .refusal = refusal(!refused),
            .text = sentence(),
            .elapsed = time(),
            .start_late_by = time()};
  }
  AttemptState state(bool finished) {
    AttemptState state{.attempt = attempt(),
                       .phase = AttemptPhase::kEnding,
                       .digest = digest(),
                       .elapsed = time(),
                       .cores = cores(64),
                       .last_change = number32(),
                       .result = std::nullopt};
    if (!finished) return state;
    state.phase = AttemptPhase::kFinished;
    state.result = final_result(state.attempt);
    return state;
  }
  WorkerAnswer worker_answer() {
    WorkerAnswer answer{.boot = boot(),
                        .term = term(),
                        .total_cores = 64,
                        .available_cores = cores(64),
                        .version = number(),
                        .draining = some(),
                        .attempts = {},
                        .tombstones = {}};
    for (std::size_t left = entries(4); left > 0; --left) answer.attempts.push_back(state(some()));
    for (std::size_t left = entries(4); left > 0; --left)
      answer.tombstones.push_back({.attempt = attempt(), .cancelled_by_request = some()});
    return answer;
  }
  BytesPart part() {
    BytesPart part{
        .known = some(), .offset = up_to(1'000'000), .total = 0, .bytes = bytes(1, 4000), .error = sentence()};
    part.total = part.offset + part.bytes.size() + up_to(10);
    return part;
  }

  Prng prng_;
  ArbitraryMessage others_;
  bool full_;
};

}  // namespace hyperscale::wire
