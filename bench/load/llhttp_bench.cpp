#include "base/check.h"
#include "sample_responses.h"

#include <benchmark/benchmark.h>
#include <llhttp.h>

namespace hyperscale::load {
namespace {

int count_completion(llhttp_t* parser) {
  ++*static_cast<std::size_t*>(parser->data);
  return 0;
}

void read_whole(benchmark::State& state, std::string_view response) {
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_message_complete = count_completion;
  std::size_t completed = 0;
  llhttp_t parser;
  llhttp_init(&parser, HTTP_RESPONSE, &settings);
  parser.data = &completed;
  const std::string copy(response);
  for (auto _ : state) {
    CHECK(llhttp_execute(&parser, copy.data(), copy.size()) == HPE_OK);
    benchmark::DoNotOptimize(parser);
  }
  CHECK(completed == static_cast<std::size_t>(state.iterations()));
  state.SetItemsProcessed(state.iterations());
}

void llhttp_small(benchmark::State& state) {
  read_whole(state, bench::kSmall);
}
BENCHMARK(llhttp_small);

void llhttp_chunked(benchmark::State& state) {
  read_whole(state, bench::kChunked);
}
BENCHMARK(llhttp_chunked);

}  // namespace
}  // namespace hyperscale::load
