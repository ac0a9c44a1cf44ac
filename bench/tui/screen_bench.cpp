// What a frame of the live screen costs, in time and in bytes. At 30 frames a second a microsecond is 0.003 % of a
// core.
#include "sample_views.h"
#include "tui/live_screen.h"

#include <benchmark/benchmark.h>

namespace hyperscale::tui {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

// A run that goes on: figures change with every frame, a point is added every second.
void frame(benchmark::State& state) {
  const Size size{static_cast<int>(state.range(0)), static_cast<int>(state.range(1))};
  live::LiveView view = running_view();
  LiveScreen screen({});
  MonoTime now = kStart;
  std::size_t frames = 0, bytes = 0;
  screen.frame(view, size, now);
  for (auto _ : state) {
    now += kRefreshInterval;
    view.elapsed += kRefreshInterval;
    view.requests += 411;
    view.rate_per_s += frames % 2 == 0 ? 37 : -36;
    view.outcomes[0] += 411;
    for (live::WorkflowView& workflow : view.workflows) {
      for (live::StepView& step : workflow.steps) step.requests += 40;
      if (frames % 30 == 0) workflow.course.push(workflow.course[frames / 30 % workflow.course.size()]);
    }
    bytes += screen.frame(view, size, now).size();
    ++frames;
  }
  state.counters["bytes_per_frame"] = static_cast<double>(bytes) / static_cast<double>(frames);
}
BENCHMARK(frame)->Args({80, 24})->Args({120, 40})->Args({200, 60});

// After a resize or a suspension.
void whole_frame(benchmark::State& state) {
  const Size size{static_cast<int>(state.range(0)), static_cast<int>(state.range(1))};
  const live::LiveView view = running_view();
  LiveScreen screen({});
  std::size_t bytes = 0;
  for (auto _ : state) {
    screen.redraw();
    bytes = screen.frame(view, size, kStart).size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(whole_frame)->Args({80, 24})->Args({200, 60});

}  // namespace
}  // namespace hyperscale::tui
