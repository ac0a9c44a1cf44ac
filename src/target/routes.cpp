#include "target/routes.h"

#include "base/append_format.h"
#include "base/duration_text.h"
#include "base/size_text.h"
#include "target/limits.h"
#include "target/request_texts.h"

#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::target {
namespace {

constexpr std::string_view kRouteList = R"(Routes:
  /                     a small page
  /delay/200ms          answers after that time; /delay/10ms-50ms: uniformly in between
  /stall/200ms/2s       requests that arrive in the first 200 ms of every 2 s are answered at the end of them
  /status/503           that status; /status/200,500@10: 500 for 10 % of the requests, 200 otherwise
  /size/64KiB           a body of that size
  /chunked/64KiB/1KiB   the same, in chunks of the second size
  /gzip/64KiB           the same, compressed if the request accepts gzip
  /drip/1KiB/10ms       the same, 64 bytes per interval
  /echo                 method, target, headers and body of the request, as JSON
  /headers              its headers, as JSON
  /cookie               its cookies, as JSON; /cookie/set?name=value sets some
  /redirect/3           302 to /redirect/2 and so on; /redirect/0 is 200
  /close                closes the connection after the answer
  /half                 declares a length and closes in the middle of the body
  /reset                a reset instead of an answer
  /never                no answer
  /garbage              bytes that are not HTTP
  /count                what was received so far, as JSON; POST /reset-count: the same, and back to zero
)";

constexpr std::uint64_t kHalfBytes = 1024;

// A target without scheme, authority, query: "/size/64KiB". `query` gets the part after the question mark.
std::string_view path_of(std::string_view target, std::string_view* query = nullptr) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const std::size_t slash = target.find('/', scheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  const std::size_t mark = target.find('?');
  if (query && mark != std::string_view::npos) *query = target.substr(mark + 1);
  return target.substr(0, mark);
}

// Removes the next segment and returns it: "/size/64KiB" returns "size" and leaves "/64KiB".
std::string_view take_segment(std::string_view& path) {
  if (path.empty()) return {};
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

struct Call {
  const Request& request;
  std::string_view arguments;  // the part after the name of the route: "/64KiB"
  std::string_view query;
  RouteState& state;
  Answer& answer;
};

void refuse(Call& call, std::uint16_t status, std::string_view why) {
  call.answer.clear();
  call.answer.status = status;
  append_format(call.answer.body, "{}\n\n{}", why, kRouteList);
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Duration> duration_argument(Call& call, std::string_view text) {
  const Result<Duration> duration = parse_duration(text);
  if (duration && *duration <= kDelayMax) return *duration;
  refuse(call, 400, duration ? "at most 1h" : duration.error().context);
  return std::nullopt;
}

std::optional<std::uint64_t> size_argument(Call& call, std::string_view text, std::uint64_t size_bytes_max) {
  const Result<std::uint64_t> size = parse_size(text);
  if (size && *size <= size_bytes_max) return *size;
  refuse(call, 400, size ? fmt::format("at most {}", format_size(size_bytes_max)) : size.error().context);
  return std::nullopt;
}

std::optional<std::uint16_t> status_argument(Call& call, std::string_view text) {
  const auto status = whole_number<std::uint16_t>(text);
  if (status && *status >= 200 && *status <= 599) return status;
  refuse(call, 400, "a status is a number from 200 to 599");
  return std::nullopt;
}

void hello(Call& call) {
  call.answer.body = "hello\n";
}

void delay(Call& call) {
  const std::string_view text = take_segment(call.arguments);
  const std::size_t dash = text.find('-');
  const auto low = duration_argument(call, text.substr(0, dash));
  if (!low) return;
  auto high = low;
  if (dash != std::string_view::npos) high = duration_argument(call, text.substr(dash + 1));
  if (!high) return;
  if (*high < *low) return refuse(call, 400, "the range of a delay starts with the shorter one");
  call.answer.delay = low == high ? *low : call.state.prng.between(*low, *high);
  call.answer.body = "delayed\n";
}

void stall(Call& call) {
  const Result<Stall> stall = parse_stall(call.arguments.empty() ? "" : call.arguments.substr(1));
  if (!stall) return refuse(call, 400, stall.error().context);
  call.arguments = {};
  call.answer.stall = *stall;
  call.answer.body = "hello\n";
}

void status(Call& call) {
  const std::string_view text = take_segment(call.arguments);
  const std::size_t comma = text.find(',');
  const auto usual = status_argument(call, text.substr(0, comma));
  if (!usual) return;
  auto chosen = usual;
  if (comma != std::string_view::npos) {
    const std::string_view other = text.substr(comma + 1);
    const std::size_t at = other.find('@');
    const auto percent = at == std::string_view::npos ? std::nullopt : whole_number<std::uint8_t>(other.substr(at + 1));
    if (!percent || *percent > 100) return refuse(call, 400, "write /status/USUAL,OTHER@PERCENT");
    const auto unusual = status_argument(call, other.substr(0, at));
    if (!unusual) return;
    if (is_chosen_turn(call.state.turns.next(call.request.target), *percent)) chosen = unusual;
  }
  call.answer.status = *chosen;
  if (call.answer.may_have_body()) append_format(call.answer.body, "{}\n", *chosen);
}

void size(Call& call) {
  const auto size = size_argument(call, take_segment(call.arguments), kAnswerBytesMax);
  if (size) call.answer.filler_bytes = *size;
}

void chunked(Call& call) {
  const auto size = size_argument(call, take_segment(call.arguments), kAnswerBytesMax);
  if (!size) return;
  const auto chunk = size_argument(call, take_segment(call.arguments), kChunkBytesMax);
  if (!chunk) return;
  if (*chunk == 0) return refuse(call, 400, "a chunk has at least 1 byte");
  call.answer.filler_bytes = *size;
  call.answer.chunk_bytes = *chunk;
}

void gzip(Call& call) {
  const auto size = size_argument(call, take_segment(call.arguments), kGzipBytesMax);
  if (!size) return;
  bool accepted = false;
  for (const Field& field : call.request.fields) {
    accepted |= same_ignoring_case(field.name, "accept-encoding") && lists_token(field.value, "gzip");
  }
  call.answer.extra.push_back({"vary", "accept-encoding"});
  if (accepted) {
    call.answer.extra.push_back({"content-encoding", "gzip"});
    call.answer.body = call.state.gzip.of_size(*size);
  } else {
    call.answer.filler_bytes = *size;
  }
}

void drip(Call& call) {
  const auto size = size_argument(call, take_segment(call.arguments), kAnswerBytesMax);
  if (!size) return;
  const auto interval = duration_argument(call, take_segment(call.arguments));
  if (!interval) return;
  call.answer.filler_bytes = *size;
  call.answer.drip_every = *interval;
}

void echo(Call& call) {
  if (call.request.body_cut) return refuse(call, 413, "the body is too large to be given back");
  call.answer.content_type = kJsonType;
  append_echo(call.answer.body, call.request);
}

void headers(Call& call) {
  call.answer.content_type = kJsonType;
  append_headers(call.answer.body, call.request);
}

void set_cookies(Call& call) {
  std::string_view rest = call.query;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (pair.find('=') == std::string_view::npos) continue;
    if (call.answer.extra.size() == kExtraFieldsMax) return refuse(call, 400, "at most 16 cookies at a time");
    call.answer.extra.push_back({"set-cookie", fmt::format("{}; Path=/", pair)});
  }
  if (call.answer.extra.empty()) return refuse(call, 400, "write /cookie/set?name=value");
  call.answer.body = "set\n";
}

void cookie(Call& call) {
  const std::string_view what = take_segment(call.arguments);
  if (what == "set") return set_cookies(call);
  if (!what.empty()) return refuse(call, 404, "write /cookie or /cookie/set?name=value");
  call.answer.content_type = kJsonType;
  append_cookies(call.answer.body, call.request);
}

void redirect(Call& call) {
  const auto left = whole_number<std::uint32_t>(take_segment(call.arguments));
  if (!left || *left > kRedirectsMax) return refuse(call, 400, "write /redirect/N, with N up to 1000");
  call.answer.body = *left == 0 ? "arrived\n" : "further\n";
  if (*left == 0) return;
  call.answer.status = 302;
  call.answer.extra.push_back({"location", fmt::format("/redirect/{}", *left - 1)});
}

void close(Call& call) {
  call.answer.close = true;
  call.answer.body = "bye\n";
}

void half(Call& call) {
  call.answer.filler_bytes = kHalfBytes;
  call.answer.ending = Ending::kHalf;
}

void reset(Call& call) {
  call.answer.ending = Ending::kReset;
}

void never(Call& call) {
  call.answer.ending = Ending::kNever;
}

void garbage(Call& call) {
  call.answer.ending = Ending::kGarbage;
}

void count(Call& call) {
  call.answer.content_type = kJsonType;
  call.state.counters.read().append_json(call.answer.body);
  call.answer.body += '\n';
}

void reset_count(Call& call) {
  if (call.request.method != "POST") {
    refuse(call, 405, "write POST /reset-count");
    call.answer.extra.push_back({"allow", "POST"});
    return;
  }
  call.answer.content_type = kJsonType;
  call.state.turns.restart();
  call.state.counters.reset().append_json(call.answer.body);
  call.answer.body += '\n';
}

struct Route {
  std::string_view name;
  void (*make)(Call&);
};

constexpr std::array kRoutes{
    Route{"", hello},
    Route{"delay", delay},
    Route{"stall", stall},
    Route{"status", status},
    Route{"size", size},
    Route{"chunked", chunked},
    Route{"gzip", gzip},
    Route{"drip", drip},
    Route{"echo", echo},
    Route{"headers", headers},
    Route{"cookie", cookie},
    Route{"redirect", redirect},
    Route{"close", close},
    Route{"half", half},
    Route{"reset", reset},
    Route{"never", never},
    Route{"garbage", garbage},
    Route{"count", count},
    Route{"reset-count", reset_count},
};

}  // namespace

void answer_route(const Request& request, RouteState& state, Answer& answer) {
  answer.clear();
  Call call{.request = request, .arguments = {}, .query = {}, .state = state, .answer = answer};
  call.arguments = path_of(request.target, &call.query);
  const bool is_path = call.arguments.starts_with('/');
  const std::string_view name = take_segment(call.arguments);
  for (const Route& route : kRoutes) {
    if (!is_path || route.name != name) continue;
    route.make(call);
    // Reports an extra argument, unless the route has refused the request already.
    if (!call.arguments.empty() && answer.status < 400)
      refuse(call, 404, "there is more in the path than this route takes");
    return;
  }
  refuse(call, 404, "there is no such route");
}

bool is_count_route(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == "/count" || path == "/reset-count";
}

bool needs_body(std::string_view target) {
  return path_of(target) == "/echo";
}

std::string_view route_list() {
  return kRouteList;
}

}  // namespace hyperscale::target
