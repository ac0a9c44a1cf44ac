#include "sample_views.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::tui {
namespace {

using results::Outcome;

// A course with waves and noise, from whole numbers only as far as rounding could differ between machines.
live::PointSeries course(std::uint64_t seed, std::size_t points, double rate, Duration median,
                         std::size_t errors_every = 0) {
  live::PointSeries series;
  std::uint64_t state = seed;
  const auto noise = [&state](std::uint64_t range) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>((state >> 33) % range);
  };
  for (std::size_t i = 0; i < points; ++i) {
    const double ramp = std::min(1.0, static_cast<double>(i + 1) / 24);
    const std::size_t turn = i % 60;
    const double wave = static_cast<double>(turn < 30 ? turn : 60 - turn) / 30;
    const double load = ramp * (0.82 + 0.12 * wave + 0.0006 * noise(100));
    const double slow = 1 + 0.5 * wave + 0.003 * noise(100);
    const auto latency = [&](double factor) {
      return Duration(static_cast<std::int64_t>(static_cast<double>(median.count()) * slow * factor));
    };
    const bool failing = errors_every > 0 && i % errors_every < errors_every / 3;
    series.push({.rate_per_s = rate * load,
                 .errors_per_s = failing ? rate * 0.02 : 0,
                 .p50 = latency(1),
                 .p95 = latency(2.6 + 0.01 * noise(40)),
                 .p99 = latency(4.2 + 0.01 * noise(160))});
  }
  return series;
}

live::StepView step(std::string name, std::uint64_t requests, double rate, std::uint64_t errors, Duration median) {
  return {.name = std::move(name),
          .requests = requests,
          .rate_per_s = rate,
          .errors = errors,
          .p50 = median,
          .p95 = median * 31 / 10,
          .p99 = median * 74 / 10,
          .max = median * 96};
}

void set_outcome(live::LiveView& view, Outcome outcome, std::uint64_t count) {
  view.outcomes[static_cast<std::size_t>(outcome)] = count;
}

}  // namespace

live::LiveView running_view() {
  live::LiveView view;
  view.run_name = "checkout-peak";
  view.run_id = "r-20261116-0731";
  view.target = "https://shop.example.com/api";
  view.state = live::RunState::kRunning;
  view.elapsed = 126s;
  view.planned = 300s;
  view.iterations = 249'804;
  view.rate_per_s = 12'480;
  view.total_rate_per_s = 11'902;
  view.requests = 1'499'652;
  view.errors = 312;
  set_outcome(view, Outcome::kOk, 1'499'340);
  set_outcome(view, Outcome::kStatus, 280);
  set_outcome(view, Outcome::kFirstByteTimeout, 32);
  view.recent_p50 = 3'210us;
  view.recent_p99 = 24'100us;
  view.received_per_s = 41.3e6;
  view.sent_per_s = 3.1e6;
  view.bytes_received = 5'204'000'000;
  view.bytes_sent = 391'000'000;
  view.vus_active = 500;
  view.vus_target = 500;
  view.lag_p99 = 184us;
  view.executors = view.executors_alive = 8;
  view.thresholds = {{"p99<50ms", "24.1ms", live::ThresholdState::kPassing},
                     {"errors<1%", "0.02%", live::ThresholdState::kPassing},
                     {"step:pay:p95<40ms", "37.2ms", live::ThresholdState::kPassing},
                     {"check:has total:rate>99%", "", live::ThresholdState::kPending}};
  view.log = {{live::LogLevel::kInfo, 0s, "8 executors ready, 63 users each at most"},
              {live::LogLevel::kInfo, 30s, "ramp finished: 500 users"},
              {live::LogLevel::kWarning, 74s, "pay: 503 Service Unavailable (first of 280)"},
              {live::LogLevel::kInfo, 118s, "cart: connection reused 99.8% of the time"}};
  view.workflows = {{.name = "Browse",
                     .steps = {step("home", 310'220, 2'580, 0, 1'900us), step("search", 309'871, 2'577, 12, 4'400us)},
                     .total = step("all steps", 620'091, 5'157, 12, 2'600us),
                     .course = course(3, 126, 5'400, 2'600us)},
                    {.name = "Checkout",
                     .steps = {step("login", 146'611, 1'221, 0, 5'200us), step("cart", 146'602, 1'220, 0, 2'100us),
                               step("address", 146'590, 1'219, 0, 1'800us), step("pay", 146'583, 1'219, 300, 12'000us),
                               step("receipt", 146'271, 1'217, 0, 2'300us)},
                     .total = step("all steps", 732'657, 6'096, 300, 3'210us),
                     .course = course(7, 126, 6'600, 3'210us, 40)},
                    {.name = "Refund",
                     .steps = {step("lookup", 73'460, 611, 0, 2'500us), step("refund", 73'444, 616, 0, 8'100us)},
                     .total = step("all steps", 146'904, 1'227, 0, 4'900us),
                     .course = course(11, 126, 1'300, 4'900us)}};
  return view;
}

live::LiveView paused_view() {
  live::LiveView view;
  view.run_name = "search-soak";
  view.run_id = "r-20261116-0802";
  view.target = "http://search.internal:9200/products/_search";
  view.state = live::RunState::kPaused;
  view.elapsed = 5'025s;
  view.iterations = 1'204'100;
  view.iterations_planned = 3'000'000;
  view.asked_rate_per_s = 240;
  view.total_rate_per_s = 239.6;
  view.requests = 1'204'100;
  set_outcome(view, Outcome::kOk, 1'204'100);
  view.bytes_received = 88'300'000'000;
  view.bytes_sent = 512'000'000;
  view.vus_target = 60;
  view.lag_p99 = 92us;
  view.executors = view.executors_alive = 2;
  view.log = {{live::LogLevel::kInfo, 0s, "2 executors ready"}, {live::LogLevel::kInfo, 5'021s, "paused by a key"}};
  view.workflows = {{.name = "",
                     .steps = {step("GET /products/_search", 1'204'100, 0, 0, 6'700us)},
                     .total = std::nullopt,
                     .course = course(23, 400, 260, 6'700us)}};
  return view;
}

live::LiveView failing_view() {
  live::LiveView view = running_view();
  view.run_name = "release-gate";
  view.elapsed = 212s;
  view.errors = 61'230;
  view.requests = 1'612'882;
  view.rate_per_s = 3'105;
  view.total_rate_per_s = 7'607;
  set_outcome(view, Outcome::kOk, 1'551'652);
  set_outcome(view, Outcome::kStatus, 41'007);
  set_outcome(view, Outcome::kFirstByteTimeout, 12'640);
  set_outcome(view, Outcome::kRefused, 6'902);
  set_outcome(view, Outcome::kReset, 611);
  set_outcome(view, Outcome::kBodyMismatch, 70);
  view.dropped = 4'120;
  view.lag_p99 = 14ms;
  view.executors_alive = 7;
  view.vus_active = 438;
  view.thresholds = {{"errors<1%", "3.8%", live::ThresholdState::kFailing},
                     {"rate>=10000/s", "7607/s", live::ThresholdState::kFailing},
                     {"p99<2s", "1.91s", live::ThresholdState::kPassing}};
  view.log = {
      {live::LogLevel::kInfo, 0s, "8 executors ready, 63 users each at most"},
      {live::LogLevel::kWarning, 120s, "pay: 503 Service Unavailable (first of 41,007)"},
      {live::LogLevel::kError, 171s, "executor 5 was killed by signal 9 after 2m51s; its share was started again"},
      {live::LogLevel::kError, 174s, "executor 5 was killed by signal 9 again; its share is lost"},
      {live::LogLevel::kWarning, 190s, "connect to 203.0.113.7:443: connection refused (first of 6,902)"}};
  live::WorkflowView& checkout = view.workflows[1];
  checkout.steps[3] = step("pay", 146'583, 402, 54'211, 214ms);
  checkout.steps[4] = step("receipt", 92'372, 398, 7'019, 88ms);
  checkout.total = step("all steps", 678'758, 3'105, 61'230, 41ms);
  checkout.course = course(7, 212, 3'600, 41ms, 9);
  return view;
}

live::LiveView crowded_view() {
  live::LiveView view = running_view();
  view.run_name = "everything-at-once: the nightly regression of all public interfaces";
  view.workflows.clear();
  for (int i = 0; i < 12; ++i) {
    live::WorkflowView workflow{.name = "Interface" + std::to_string(i + 1),
                                .state = i < 4 ? live::WorkflowState::kDone : live::WorkflowState::kRunning};
    if (i == 2) workflow.state = live::WorkflowState::kFailed;
    if (i > 9) workflow.state = live::WorkflowState::kWaiting;
    for (int s = 0; s < 40; ++s) {
      const auto requests = static_cast<std::uint64_t>(1'000 * (40 - s) + 17 * i);
      workflow.steps.push_back(step("request number " + std::to_string(s + 1) + " of a very long list of them",
                                    s == 7 ? 0 : requests, s == 7 ? 0 : 3.5 * (40 - s), s == 3 ? 12 : 0,
                                    Duration(1ms) * (s + 2)));
    }
    workflow.total = step("all steps", 812'680, 2'870, 12, 19ms);
    workflow.course = course(static_cast<std::uint64_t>(i), 90, 2'900, 19ms);
    view.workflows.push_back(std::move(workflow));
  }
  return view;
}

live::LiveView starting_view() {
  live::LiveView view;
  view.run_name = "GET http://127.0.0.1:8080/";
  view.target = "http://127.0.0.1:8080/";
  view.planned = 10s;
  view.vus_target = 50;
  view.executors = 2;
  view.workflows = {{.name = "", .steps = {{.name = "GET /"}}, .total = std::nullopt, .course = live::PointSeries()}};
  return view;
}

live::LiveView hostile_view() {
  live::LiveView view = running_view();
  view.run_name = "\x1b[2J\x1b]0;owned\x07 run\r\n\xff\xfe";
  view.target = "https://例え.テスト/\xe2\x80\xae/паth?q=👩‍👩‍👧‍👦&e=e\xcc\x81";
  view.workflows[0].name = "日本語の名前がとても長いワークフロー";
  view.workflows[1].name = "\x1b[31mred\x1b[0m";
  view.workflows[1].steps[0].name = "ログインする🔑しかも長い名前で表を壊す";
  view.workflows[1].steps[1].name = std::string("nul\0inside", 10) + "\x9b" + "31m";
  view.workflows[1].steps[2].name = "\t\v\f\b\b\b\x7f";
  view.log.push_back(
      {live::LogLevel::kError, 99s,
       "body: \x1b[999;999H\x1b[6n \x1bP+q544e\x1b\\ 𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀"});
  view.thresholds.push_back({"step:\x1b[5m:p99<1s", "\x1b[7m9s", live::ThresholdState::kFailing});
  return view;
}

const std::vector<GoldenScreen>& golden_screens() {
  constexpr Drawing kAscii{.glyphs = Glyphs::kAscii, .ink = Ink::kAscii};
  constexpr Drawing kBlocks{.glyphs = Glyphs::kUnicode, .ink = Ink::kBlocks};
  static const std::vector<GoldenScreen> screens{
      {"running_80x24", running_view, {80, 24}, {.workflow = 1}},
      {"running_120x40", running_view, {120, 40}, {.workflow = 1, .animation = 730ms}},
      {"running_200x60", running_view, {200, 60}, {.workflow = 1, .animation = 730ms}},
      {"paused_80x24", paused_view, {80, 24}},
      {"paused_120x40", paused_view, {120, 40}},
      {"failing_80x24", failing_view, {80, 24}, {.workflow = 1, .held = true}},
      {"failing_120x40", failing_view, {120, 40}, {.workflow = 1, .held = true}},
      {"failing_200x60", failing_view, {200, 60}, {.workflow = 1, .held = true}},
      {"crowded_80x24", crowded_view, {80, 24}, {.workflow = 8, .held = true}},
      {"crowded_120x40", crowded_view, {120, 40}, {.workflow = 4, .first_step = 5}},
      {"crowded_200x60", crowded_view, {200, 60}, {.workflow = 0}},
      {"starting_80x24", starting_view, {80, 24}, {.animation = 400ms}},
      {"help_80x24", running_view, {80, 24}, {.workflow = 1, .help = true}},
      {"hostile_100x30", hostile_view, {100, 30}, {.workflow = 1, .held = true}},
      {"ascii_80x24", failing_view, {80, 24}, {.workflow = 1}, kAscii},
      {"ascii_120x40", running_view, {120, 40}, {.workflow = 1}, kAscii},
      {"blocks_120x40", running_view, {120, 40}, {.workflow = 1}, kBlocks},
      {"least_60x16", running_view, {60, 16}, {.workflow = 1}},
      {"too_small_50x10", running_view, {50, 10}}};
  return screens;
}

const GoldenScreen& golden_screen(std::string_view name) {
  const auto found = std::ranges::find(golden_screens(), name, &GoldenScreen::name);
  CHECK(found != golden_screens().end(), "no golden screen is called {}", name);
  return *found;
}

Screen drawn(const GoldenScreen& golden) {
  Screen screen(golden.size);
  draw_screen(screen, golden.view(), golden.state, golden.drawing);
  return screen;
}

}  // namespace hyperscale::tui
