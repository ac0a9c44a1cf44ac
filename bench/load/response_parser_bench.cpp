// What reading a response costs; it is on the path of every request. The other files of this folder measure two parsers
// that are in wide use with the same bytes, in the same run.
#include "base/bytes.h"
#include "base/check.h"
#include "load/protocols/http1/response_parser.h"
#include "sample_responses.h"

#include <benchmark/benchmark.h>

namespace hyperscale::load {
namespace {

class Counter final : public ResponseVisitor {
 public:
  void on_field(std::string_view name, std::string_view value) override { bytes_ += name.size() + value.size(); }
  void on_body(ByteView bytes) override { bytes_ += bytes.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

void read_whole(benchmark::State& state, std::string_view response, ResponseVisitor* visitor) {
  ResponseParser parser;
  const std::string copy(response);
  for (auto _ : state) {
    parser.start(Expect::kBody, visitor);
    const auto progress = parser.consume(as_bytes(copy));
    CHECK(progress.state == ResponseParser::State::kComplete && parser.status() == 200);
    benchmark::DoNotOptimize(parser);
  }
  state.SetItemsProcessed(state.iterations());
}

void hyperscale_small(benchmark::State& state) {
  read_whole(state, bench::kSmall, nullptr);
}
BENCHMARK(hyperscale_small);

void hyperscale_small_with_fields(benchmark::State& state) {
  Counter counter;
  read_whole(state, bench::kSmall, &counter);
  benchmark::DoNotOptimize(counter.bytes());
}
BENCHMARK(hyperscale_small_with_fields);

void hyperscale_chunked(benchmark::State& state) {
  read_whole(state, bench::kChunked, nullptr);
}
BENCHMARK(hyperscale_chunked);

// The same response in two reads, cut at every place in turn.
void hyperscale_small_split(benchmark::State& state) {
  ResponseParser parser;
  const ByteView bytes = as_bytes(bench::kSmall);
  std::size_t cut = 0;
  for (auto _ : state) {
    cut = cut + 1 == bytes.size() ? 1 : cut + 1;
    parser.start(Expect::kBody, nullptr);
    parser.consume(bytes.first(cut));
    CHECK(parser.consume(bytes.subspan(cut)).state == ResponseParser::State::kComplete);
  }
}
BENCHMARK(hyperscale_small_split);

}  // namespace
}  // namespace hyperscale::load
