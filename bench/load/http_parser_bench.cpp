#include "base/check.h"
#include "sample_responses.h"

#include <benchmark/benchmark.h>
#include <http_parser.h>

namespace hyperscale::load {
namespace {

int count_completion(http_parser* parser) {
  ++*static_cast<std::size_t*>(parser->data);
  return 0;
}

void read_whole(benchmark::State& state, std::string_view response) {
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_message_complete = count_completion;
  std::size_t completed = 0;
  http_parser parser;
  http_parser_init(&parser, HTTP_RESPONSE);
  parser.data = &completed;
  const std::string copy(response);
  for (auto _ : state) {
    CHECK(http_parser_execute(&parser, &settings, copy.data(), copy.size()) == copy.size());
    benchmark::DoNotOptimize(parser);
  }
  CHECK(completed == static_cast<std::size_t>(state.iterations()));
  state.SetItemsProcessed(state.iterations());
}

void http_parser_small(benchmark::State& state) {
  read_whole(state, bench::kSmall);
}
BENCHMARK(http_parser_small);

void http_parser_chunked(benchmark::State& state) {
  read_whole(state, bench::kChunked);
}
BENCHMARK(http_parser_chunked);

}  // namespace
}  // namespace hyperscale::load
