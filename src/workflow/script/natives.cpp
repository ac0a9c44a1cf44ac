#include "workflow/script/natives.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/nearest_match.h"
#include "plan/arguments/headers.h"
#include "plan/limits.h"
#include "plan/raw_request.h"
#include "plan/url.h"
#include "workflow/script/native_call.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

Runtime* runtime_of_process = nullptr;

constexpr double kExactInteger = 9007199254740992.0;  // 2^53
// sequence(): numbers per space, and how many spaces fit into exact integers; each kind of users has one space.
constexpr std::uint64_t kSequenceSpace = std::uint64_t{1} << 48;
constexpr std::uint64_t kSequenceSpaces = 32;
constexpr const char* kNoHookRuns = "requests can only be sent while a hook runs";
constexpr std::size_t kKnownRequestsMax = 1000;
constexpr Duration kTimerMax = std::chrono::hours(24 * 365);

std::vector<plan::Tag> tags_from(const std::vector<std::string>& flat) {
  std::vector<plan::Tag> tags;
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) tags.push_back({.name = flat[i], .value = flat[i + 1]});
  return tags;
}

Duration from_ms(double ms) {
  if (!(ms > 0)) return {};
  return ms * 1e6 >= static_cast<double>(kTimerMax.count()) ? kTimerMax : Duration(static_cast<std::int64_t>(ms * 1e6));
}

MetricKind metric_kind(std::string_view name) {
  if (name == "counter") return MetricKind::kCounter;
  if (name == "gauge") return MetricKind::kGauge;
  return name == "rate" ? MetricKind::kRate : MetricKind::kTrend;
}

LogLevel log_level(std::string_view name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "warning") return LogLevel::kWarning;
  return name == "error" ? LogLevel::kError : LogLevel::kInfo;
}

using Function = Answer (*)(Runtime&, const Arguments&);

template <Function function>
JSValueRef native(JSContextRef context, JSObjectRef, JSObjectRef, std::size_t count, const JSValueRef arguments[],
                  JSValueRef* exception) {
  return give(context, function(*runtime_of_process, Arguments(context, count, arguments)), exception);
}

}  // namespace

// A friend of Runtime: each function is the native half of one in js/.
struct RuntimeNatives {
  static Answer nothing(const Arguments& in) { return JSValueMakeUndefined(in.context()); }

  static Answer over(Runtime& runtime, const Arguments& in) {
    return JSValueMakeBoolean(in.context(), runtime.engine_->over_limit());
  }

  static Answer watch(Runtime& runtime, const Arguments& in) {
    runtime.engine_->watch();
    return nothing(in);
  }

  static Answer nearest(Runtime&, const Arguments& in) {
    const auto near = nearest_match(in.text(0), in.texts(1));
    return near ? jsc::make_text(in.context(), *near) : JSValueMakeNull(in.context());
  }

  static Answer parse_duration_text(Runtime&, const Arguments& in) {
    const Result<Duration> duration = parse_duration(in.text(0));
    if (!duration) return JSValueMakeNull(in.context());
    return JSValueMakeNumber(in.context(), static_cast<double>(duration->count()) / 1e6);
  }

  static Answer environment(Runtime& runtime, const Arguments& in) {
    const std::string name = in.text(0);
    const bool secret = in.flag(2);
    const auto& values = secret ? runtime.options_.secrets : runtime.options_.env;
    if (const auto found = values.find(name); found != values.end()) return jsc::make_text(in.context(), found->second);
    if (in.given(1)) return in[1];
    std::vector<std::string> names;
    names.reserve(values.size());
    for (const auto& [known, value] : values) names.push_back(known);
    const auto near = nearest_match(name, names);
    return refuse(
        fmt::format("{} \"{}\" is not given{}; run with {} {}=...", secret ? "secret" : "environment variable", name,
                    near ? fmt::format(" (there is \"{}\")", *near) : "", secret ? "--secret" : "--env", name));
  }

  static Answer log(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.log != nullptr) runtime.host_.log->write(log_level(in.text(0)), runtime.redacted(in.text(1)));
    return nothing(in);
  }

  static Answer record(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.metrics != nullptr)
      runtime.host_.metrics->record(runtime.current_slot_, metric_kind(in.text(0)), in.text(1), in.number(2));
    return nothing(in);
  }

  static Answer start(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.client == nullptr || runtime.current_ == nullptr) return refuse(kNoHookRuns);
    auto what = std::make_shared<load::ScriptedRequest>();
    if (const Status fine = read_request(runtime, in, *what); !fine) return refuse(fine.error().context);
    PreparedParts prepared;
    if (in.given(10)) {
      const auto id = [&](std::size_t i) {
        return static_cast<std::uint32_t>(jsc::number_of(in.context(), jsc::element(in.context(), in[10], i)));
      };
      prepared = {.url = id(0), .headers = id(1), .params = id(2), .cookies = id(3), .auth = id(4), .data = id(5)};
    }
    return send(runtime, in, std::move(what), prepared);
  }

  static Status read_request(Runtime& runtime, const Arguments& in, load::ScriptedRequest& what) {
    what.request.method = in.text(0);
    what.request.url = in.text(1);
    if (what.request.url.starts_with('/')) what.request.url = runtime.current_->workflow->base_url + what.request.url;
    const bool raw = plan::is_raw_request(what.request);
    if (!raw && what.request.url != runtime.last_good_url_) {
      if (const auto url = plan::parse_url(what.request.url); !url) return fail(url.error());
      runtime.last_good_url_ = what.request.url;
    }
    const std::vector<std::string> headers = in.texts(2);
    for (std::size_t i = 0; i + 1 < headers.size(); i += 2)
      what.request.headers.push_back({.name = headers[i], .value = headers[i + 1]});
    for (const plan::Header& header : what.request.headers)
      if (const Status fine = plan::check_header(header); !fine) return fine;
    if (in.given(3)) what.request.body = bytes_or_text(in, 3);
    if (in.given(4)) what.timeout = from_ms(in.number(4));
    what.label = in.text_if_given(5);
    if (in.given(6)) what.label = what.label.empty() ? in.text(6) : in.text(6) + "/" + what.label;
    if (in.given(7))
      for (std::size_t i = 0; i < jsc::length_of(in.context(), in[7]); ++i)
        what.expect.statuses.push_back(
            static_cast<std::uint16_t>(jsc::number_of(in.context(), jsc::element(in.context(), in[7], i))));
    what.expect.body_contains = in.text_if_given(8);
    what.tags = tags_from(in.texts(9));
    what.expect.graphql = in.flag(11);
    return raw ? read_raw(in, what.request) : Status();
  }

  // Additional fields of raw requests.
  static Status read_raw(const Arguments& in, plan::Request& request) {
    if (in.given(12)) request.until = bytes_or_text(in, 12);
    if (in.given(13)) request.read_bytes = static_cast<std::uint64_t>(in.number(13));
    if (const Status fine = plan::check_raw_request(request); !fine) return fine;
    request.url = plan::parse_raw_url(request.url)->text();
    return {};
  }

  static std::string bytes_or_text(const Arguments& in, std::size_t i) {
    return JSValueIsString(in.context(), in[i]) ? in.text(i) : std::string(in.bytes(i));
  }

  // A request with only a method, a URL and a group; the script then repeats it by number.
  static Answer know(Runtime& runtime, const Arguments& in) {
    if (runtime.current_ == nullptr) return refuse(kNoHookRuns);
    if (runtime.known_requests_.size() >= kKnownRequestsMax) return JSValueMakeNumber(in.context(), -1);
    auto what = std::make_shared<load::ScriptedRequest>();
    if (const Status fine = read_request(runtime, in, *what); !fine) return refuse(fine.error().context);
    what->repeats = true;
    runtime.known_requests_.push_back(std::move(what));
    return JSValueMakeNumber(in.context(), static_cast<double>(runtime.known_requests_.size() - 1));
  }

  static Answer start_known(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.client == nullptr || runtime.current_ == nullptr) return refuse(kNoHookRuns);
    const double number = in.number(0);
    if (!(number >= 0 && number < static_cast<double>(runtime.known_requests_.size())))
      return refuse("there is no such request");
    return send(runtime, in, runtime.known_requests_[static_cast<std::size_t>(number)], {});
  }

  // The script uses the promise of a call after all. False: the call has ended.
  static Answer seen(Runtime& runtime, const Arguments& in) {
    Runtime::Call* const call = runtime.find_call(static_cast<CallId>(in.number(0)));
    const bool waits = call != nullptr && !call->settled;
    if (waits) call->direct_turn = 0;
    return JSValueMakeBoolean(in.context(), waits);
  }

  static Answer send(Runtime& runtime, const Arguments& in, std::shared_ptr<const load::ScriptedRequest> what,
                     const PreparedParts& prepared) {
    if (runtime.open_calls() >= runtime.options_.open_calls_max)
      return refuse(
          fmt::format("the scripts of this executor hold {} calls and answers, the most that they may: keep what "
                      "you need of a response instead of the response",
                      runtime.options_.open_calls_max));
    const CallId call = runtime.open_call(runtime.current_slot_);
    runtime.current_->calls.push_back(call);
    ++runtime.current_->waiting_calls;
    runtime.host_.client->start(call, {.user = runtime.current_slot_, .what = std::move(what), .prepared = prepared});
    return JSValueMakeNumber(in.context(), static_cast<double>(call));
  }

  static Answer forget(Runtime& runtime, const Arguments& in) {
    if (runtime.current_ == nullptr) return refuse(kNoHookRuns);
    const std::size_t count = jsc::length_of(in.context(), in[0]);
    std::vector<CallId> calls;
    calls.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      calls.push_back(static_cast<CallId>(jsc::number_of(in.context(), jsc::element(in.context(), in[0], i))));
    runtime.forget_calls(runtime.current_slot_, calls);
    return nothing(in);
  }

  static const ScriptResponse* response(Runtime& runtime, const Arguments& in) {
    const Runtime::Call* const found = runtime.find_call(static_cast<CallId>(in.number(0)));
    return found == nullptr || !found->settled ? nullptr : &found->response;
  }
  static constexpr const char* kNotKept =
      "the body of this answer is not kept: a script can read 16 MB of one answer and 256 MB of all at once";
  static constexpr const char* kGone =
      "this response belongs to an earlier iteration: read it in the iteration that got it";

  static Answer response_body(Runtime& runtime, const Arguments& in) {
    const ScriptResponse* found = response(runtime, in);
    if (found == nullptr) return refuse(kGone);
    if (found->body_cut) return refuse(kNotKept);
    return jsc::make_text(in.context(), found->body);
  }

  static Answer response_bytes(Runtime& runtime, const Arguments& in) {
    const ScriptResponse* found = response(runtime, in);
    if (found == nullptr) return refuse(kGone);
    if (found->body_cut) return refuse(kNotKept);
    return make_bytes(in.context(), found->body);
  }

  static Answer response_url(Runtime& runtime, const Arguments& in) {
    const ScriptResponse* found = response(runtime, in);
    if (found == nullptr) return refuse(kGone);
    return jsc::make_text(in.context(), found->request == nullptr ? std::string() : found->request->url);
  }

  static Answer response_headers(Runtime& runtime, const Arguments& in) {
    const ScriptResponse* found = response(runtime, in);
    if (found == nullptr) return refuse(kGone);
    JSObjectRef list = JSObjectMakeArray(in.context(), 0, nullptr, nullptr);
    unsigned at = 0;
    std::string_view left = found->head;
    for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
      JSObjectSetPropertyAtIndex(in.context(), list, at++, jsc::make_text(in.context(), left.substr(0, end)), nullptr);
      left.remove_prefix(end + 1);
    }
    return list;
  }

  // The cookies of the user: name, value, domain, path, Secure, HttpOnly and expiry of each.
  static Answer cookies(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.cookies == nullptr || runtime.current_ == nullptr) return refuse("there are no cookies here");
    const std::string what = in.text(0);
    load::CookieRequest request;
    if (what == "set") request.what = load::CookieRequest::What::kSet;
    if (what == "clear") request.what = load::CookieRequest::What::kClear;
    request.url = in.text_if_given(1);
    if (request.url.starts_with('/')) request.url = runtime.current_->workflow->base_url + request.url;
    request.field = in.text_if_given(2);
    const auto found = runtime.host_.cookies->use_cookies(runtime.current_slot_, request);
    if (!found) return refuse(found.error().context);
    JSContextRef context = in.context();
    std::vector<JSValueRef> values;
    for (const load::ScriptCookie& cookie : *found) {
      for (const std::string* text : {&cookie.name, &cookie.value, &cookie.domain, &cookie.path})
        values.push_back(jsc::make_text(context, *text));
      values.push_back(JSValueMakeBoolean(context, cookie.secure));
      values.push_back(JSValueMakeBoolean(context, cookie.http_only));
      values.push_back(cookie.expires == WallTime::max()
                           ? JSValueMakeNull(context)
                           : JSValueMakeNumber(context, static_cast<double>(cookie.expires.ms())));
    }
    return JSObjectMakeArray(context, values.size(), values.data(), nullptr);
  }

  static Answer finished(Runtime& runtime, const Arguments& in) {
    Outcome outcome;
    outcome.turn = static_cast<TurnId>(in.number(0));
    outcome.kind = static_cast<OutcomeKind>(in.number(1));
    switch (outcome.kind) {
      case OutcomeKind::kResponse: {
        outcome.call = static_cast<CallId>(in.number(2));
        const Runtime::Call* const found = runtime.find_call(outcome.call);
        if (found == nullptr || found->user != runtime.current_slot_)
          return refuse("a step must return a response of its own iteration");
        break;
      }
      case OutcomeKind::kNumber:
        outcome.number = in.number(2);
        break;
      case OutcomeKind::kText:
        outcome.text = in.given(2) ? in.text(2) : std::string();
        break;
      default:
        outcome.flag = in.flag(2);
    }
    runtime.finish_turn(std::move(outcome));
    return nothing(in);
  }

  static Answer failed(Runtime& runtime, const Arguments& in) {
    Outcome outcome;
    outcome.turn = static_cast<TurnId>(in.number(0));
    outcome.error = runtime.engine_->error_from(in[1]);
    runtime.finish_turn(std::move(outcome));
    return nothing(in);
  }

  static Prng& source(Runtime& runtime) {
    return runtime.current_ == nullptr ? runtime.shared_random_ : runtime.current_->random;
  }

  static Answer random(Runtime& runtime, const Arguments& in) {
    return JSValueMakeNumber(in.context(), source(runtime).unit());
  }

  static Answer random_below(Runtime& runtime, const Arguments& in) {
    const double bound = in.number(0);
    if (!(bound >= 1 && bound <= kExactInteger)) return refuse("a random number needs a range of at least one value");
    const std::uint64_t value = source(runtime).below(static_cast<std::uint64_t>(bound));
    return JSValueMakeNumber(in.context(), static_cast<double>(value));
  }

  // The n-th number of a user: v + n * total for user v of the plan's total. Users added during the run, and users of
  // an executor that replaced a dead one, use separate ranges.
  static Answer sequence(Runtime& runtime, const Arguments& in) {
    const auto n = static_cast<std::uint64_t>(in.number(0));
    const Runtime::Seat* seat = runtime.current_;
    const std::uint64_t vu = seat == nullptr ? 0 : seat->vu, total = seat == nullptr ? 1 : std::max(seat->total, 1U);
    const bool added = vu >= total;
    const std::uint64_t stride = added ? plan::kVusMax : total;
    const std::uint64_t space = runtime.options_.generation * 2ULL + (added ? 1 : 0);
    if (space >= kSequenceSpaces || n >= (kSequenceSpace - stride) / stride)
      return refuse("sequence(): this user has no numbers left");
    const std::uint64_t number = space * kSequenceSpace + n * stride + (added ? vu - total : vu);
    return JSValueMakeNumber(in.context(), static_cast<double>(number));
  }

  static Answer arm(Runtime& runtime, const Arguments& in) {
    if (runtime.host_.timers == nullptr || runtime.current_ == nullptr) return refuse("there are no timers here");
    const TimerId timer = in.given(1) ? static_cast<TimerId>(in.number(1)) : ++runtime.last_timer_;
    if (!runtime.timers_.emplace(timer, runtime.current_slot_).second) return refuse("this timer is running");
    runtime.current_->timers.push_back(timer);
    runtime.host_.timers->arm(timer, from_ms(in.number(0)));
    return JSValueMakeNumber(in.context(), static_cast<double>(timer));
  }

  static Answer disarm(Runtime& runtime, const Arguments& in) {
    const auto timer = static_cast<TimerId>(in.number(0));
    if (runtime.timers_.erase(timer) == 0) return nothing(in);
    std::erase(runtime.current_->timers, timer);
    runtime.host_.timers->disarm(timer);
    return nothing(in);
  }
};

ObjectRef make_natives(Runtime& runtime) {
  CHECK(runtime_of_process == nullptr, "a process has one script runtime");
  runtime_of_process = &runtime;
  JSContextRef context = runtime.engine().context();
  JSObjectRef natives = JSObjectMake(context, nullptr, nullptr);
  const auto add = [&](const char* name, JSObjectCallAsFunctionCallback callback) {
    add_native(context, natives, name, callback);
  };
  using N = RuntimeNatives;
  add("over", native<N::over>);
  add("watch", native<N::watch>);
  add("nearest", native<N::nearest>);
  add("parseDuration", native<N::parse_duration_text>);
  add("env", native<N::environment>);
  add("log", native<N::log>);
  add("record", native<N::record>);
  add("start", native<N::start>);
  add("know", native<N::know>);
  add("startKnown", native<N::start_known>);
  add("seen", native<N::seen>);
  add("forget", native<N::forget>);
  add("responseBody", native<N::response_body>);
  add("responseBytes", native<N::response_bytes>);
  add("responseUrl", native<N::response_url>);
  add("responseHeaders", native<N::response_headers>);
  add("cookies", native<N::cookies>);
  add("finished", native<N::finished>);
  add("failed", native<N::failed>);
  add("random", native<N::random>);
  add("randomBelow", native<N::random_below>);
  add("sequence", native<N::sequence>);
  add("arm", native<N::arm>);
  add("disarm", native<N::disarm>);
  add_web_natives(runtime.engine().context(), natives);
  return natives;
}

void forget_natives(const Runtime& runtime) {
  if (runtime_of_process == &runtime) runtime_of_process = nullptr;
}

}  // namespace hyperscale::workflow
