// Recording samples, for bench/recording_cost.py to count the instructions: `record_samples private N` folds N samples
// into memory of this process, `record_samples published N` does so through a stream's regions and publishes each.
#include "load/recording/tally_recorder.h"
#include "load/recording/tally_region.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace hyperscale;
  if (argc != 3) return 2;
  const bool published = std::string_view(argv[1]) == "published";
  const std::int64_t count = std::strtoll(argv[2], nullptr, 10);
  constexpr load::TallyShape kShape{.steps = 1};
  const stream::RegionLayout layout = load::region_layout(kShape);
  const auto counters = stream::MappedRegion::anonymous(layout.counters_bytes);
  const auto header = stream::MappedRegion::anonymous(layout.header_file_bytes());
  const auto pool = stream::MappedRegion::anonymous(layout.pool_file_bytes());
  stream::SamplePublisher publisher(stream::ring_memory(*header, *pool, layout.nslots, layout.stride_bytes));
  load::TallyRecorder recorder(load::tallies_in(*counters), kShape, {}, published ? &publisher : nullptr);
  stream::Sample sample;
  sample.status = 200;
  sample.bytes_sent = 100;
  sample.bytes_received = 1000;
  for (std::int64_t i = 0; i < count; ++i) {
    sample.ended = MonoTime::from_ns(i);
    sample.duration = Duration(100'000 + i % 5'000);
    sample.service = sample.duration;
    sample.first_byte = sample.duration;
    recorder.record(sample);
  }
  fmt::print("{} samples, {} published\n", count, publisher.samples());
  return 0;
}
