#include "runtime/work/job.h"

#include "base/check.h"
#include "runtime/channel/async_event.h"
#include "runtime/clock/clock.h"
#include "runtime/secret/wiping_allocator.h"
#include "runtime/task/blocking_pool.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>
#include <openssl/sha.h>
#include <simdjson.h>

namespace hyperscale::runtime {
namespace {

constexpr std::uint32_t kRoundsBetweenCancelChecks = 256;

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kHashAnswerBytesMax = 128;

// Written in place, so that no copy of the result stays in freed memory.
SharedBytes hash_answer(std::uint32_t rounds, const unsigned char* digest) {
  WipingString text;
  text.reserve(kHashAnswerBytesMax);
  text.append(R"({"job":"hash","rounds":)").append(std::to_string(rounds)).append(R"(,"sha256":")");
  for (std::size_t i = 0; i < SHA256_DIGEST_LENGTH; ++i) {
    text.push_back(kHexDigits[digest[i] >> 4]);
    text.push_back(kHexDigits[digest[i] & 0xF]);
  }
  text.append(R"("})");
  return SharedBytes::adopt(std::move(text));
}

Result<SharedBytes> hash(const Job& job, const CancelToken& cancel) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  ::SHA256(job.data.data(), job.data.size(), digest);
  for (std::uint32_t round = 1; round < job.rounds; ++round) {
    ::SHA256(digest, sizeof digest, digest);
    if (round % kRoundsBetweenCancelChecks == 0 && cancel.canceled()) {
      return fail(ErrorCode::kCanceled, fmt::format("cancelled after {} of {} rounds", round, job.rounds));
    }
  }
  return hash_answer(job.rounds, digest);
}

// Blocks its thread until the process ends and ignores cancellation, like a broken driver or a lost disk.
SharedBytes hang() {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait(lock, [] { return false; });
  UNREACHABLE("hung job came back");
}

asio::awaitable<Result<SharedBytes>> delay(Duration length, MonoTime deadline, CancelToken cancel) {
  const auto strand = co_await asio::this_coro::executor;
  const MonoTime end = mono_now() + length;
  const auto event = AsyncEvent::create(strand);
  const auto registration = cancel.on_cancel([event] { event->wake(); });
  const WaitEnd result = co_await event->wait_until(std::min(end, deadline));
  if (result == WaitEnd::kCanceled) throw_canceled();
  if (result == WaitEnd::kWoken) co_return fail(ErrorCode::kCanceled, "cancelled while waiting");
  if (deadline < end) co_return fail(ErrorCode::kTimeout, "delay passed its deadline");
  co_return SharedBytes::adopt(std::string(R"({"job":"delay"})"));
}

// A parser that wipes its memory before it is freed: its copy of the text and its unescaped strings.
class ForgetfulParser {
 public:
  ~ForgetfulParser() {
    if (parser_.doc.string_buf) ::explicit_bzero(parser_.doc.string_buf.get(), text_.size());
  }
  simdjson::simdjson_result<simdjson::dom::element> parse(std::string_view json) {
    text_.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    text_.assign(json.begin(), json.end());
    return parser_.parse(text_.data(), text_.size(), /*realloc_if_needed=*/false);
  }

 private:
  WipingVector<char> text_;
  simdjson::dom::parser parser_;
};

Result<std::uint32_t> bounded(simdjson::dom::element object, std::string_view key, std::uint32_t fallback,
                              std::uint32_t max) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return fallback;
  std::uint64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS || number == 0 || number > max) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' must be a whole number from 1 to {}", key, max));
  }
  return static_cast<std::uint32_t>(number);
}

Result<JobKind> kind_of(std::string_view text, bool faults_allowed) {
  for (const JobKind kind : {JobKind::kEcho, JobKind::kHash, JobKind::kDelay, JobKind::kHang, JobKind::kCrash}) {
    if (text != name(kind)) continue;
    if (!faults_allowed && (kind == JobKind::kHang || kind == JobKind::kCrash)) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("job '{}' needs admin.fault_injection = true", text));
    }
    return kind;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown job '{}'; known are echo, hash, delay", text.substr(0, 40)));
}

}  // namespace

std::string_view name(JobKind kind) {
  switch (kind) {
    case JobKind::kEcho:
      return "echo";
    case JobKind::kHash:
      return "hash";
    case JobKind::kDelay:
      return "delay";
    case JobKind::kHang:
      return "hang";
    case JobKind::kCrash:
      return "crash";
  }
  UNREACHABLE("job kind {}", static_cast<int>(kind));
}

Job echo_job(SharedBytes data) {
  Job job;
  job.data = std::move(data);
  return job;
}

Result<Job> parse_job(std::string_view json, bool faults_allowed) {
  ForgetfulParser parser;
  simdjson::dom::element object;
  if (const auto error = parser.parse(json).get(object)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the body is not JSON: {}", simdjson::error_message(error)));
  }
  std::string_view kind_text;
  if (object["job"].get(kind_text) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidArgument, R"(the body needs a "job", such as {"job":"echo","data":"hello"})");
  }
  const auto kind = kind_of(kind_text, faults_allowed);
  if (!kind) return fail(kind.error());
  const auto rounds = bounded(object, "rounds", 1, kRoundsMax);
  if (!rounds) return fail(rounds.error());
  const auto ms = bounded(object, "ms", 1, static_cast<std::uint32_t>(kDelayMax / 1ms));
  if (!ms) return fail(ms.error());
  std::string_view data;
  simdjson::dom::element data_value;
  if (object["data"].get(data_value) == simdjson::SUCCESS && data_value.get(data) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidArgument, "'data' must be a string");
  }
  return Job{*kind, SharedBytes::adopt(WipingVector<char>(data.begin(), data.end())), *rounds, *ms * 1ms};
}

asio::awaitable<Result<SharedBytes>> run_job(const Job& job, BlockingPool& pool, MonoTime deadline,
                                             CancelToken cancel) {
  switch (job.kind) {
    case JobKind::kEcho:
      co_return job.data;
    case JobKind::kHash: {
      if (job.rounds <= kRoundsInlineMax) co_return hash(job, cancel);
      auto work = [job, cancel] { return hash(job, cancel); };
      auto hashed = co_await pool.run("hash", deadline, std::move(work));
      if (!hashed) co_return fail(hashed.error());
      co_return std::move(*hashed);
    }
    case JobKind::kDelay:
      co_return co_await delay(job.delay, deadline, cancel);
    case JobKind::kHang: {
      // The worker waits without a deadline: only the abort of a shutdown ends this job.
      auto hung = co_await pool.run("hang", MonoTime::max(), hang);
      co_return hung;
    }
    case JobKind::kCrash:
      throw std::runtime_error("crashed on request");
  }
  UNREACHABLE("job kind {}", static_cast<int>(job.kind));
}

}  // namespace hyperscale::runtime
