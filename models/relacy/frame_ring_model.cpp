// FrameWriter and FrameReader: a writer overwrites the oldest slot of a ring while a reader reads it. The reader must
// get the frame whole, or count it as missed.
#include "model_run.h"
#include "stream/frame_ring.h"

#include <array>
#include <cstdint>
#include <memory>

namespace hyperscale::models {
namespace {

constexpr unsigned kSwitches = 4;  // forced ones; a frame has too many words for all schedules

template <typename Sync, std::uint32_t kSlots = 1>
struct Ring : rl::test_suite<Ring<Sync, kSlots>, 2> {
  using Word = typename stream::RingMemory<Sync>::Word;
  struct Cells {
    std::array<Word, kSlots * stream::kFrameHeaderWords> headers;
    std::array<Word, kSlots> payloads;
  };
  std::unique_ptr<Cells> cells = std::make_unique<Cells>();
  stream::FrameWriter<Sync> writer{memory()};

  void write(std::uint64_t frame) {
    stream::FrameWriter<Sync>::put(*writer.begin(), frame + 10);
    writer.commit({.values_bytes = 8, .first_sample = frame});
  }

  stream::RingMemory<Sync> memory() {
    return {.headers = cells->headers.data(),
            .payloads = cells->payloads.data(),
            .nslots = kSlots,
            .payload_words = 1,
            .header_stride = stream::kFrameHeaderWords};
  }

  void before() {
    for (Word& word : cells->headers) word.store(0, std::memory_order_relaxed);
    for (Word& word : cells->payloads) word.store(0, std::memory_order_relaxed);
    for (std::uint32_t frame = 0; frame < kSlots; ++frame) write(frame);
  }

  void thread(unsigned index) {
    if (index == 0) return write(kSlots);
    stream::FrameReader<Sync> reader(memory());
    stream::FrameHeader header;
    std::array<std::uint64_t, 1> values{};
    if (reader.take(header, values) == stream::FrameReader<Sync>::Took::kFrame) {
      RL_ASSERT(header.first_sample == 0);
      RL_ASSERT(values[0] == 10);
    } else {
      RL_ASSERT(reader.drops_gap() + reader.drops_late() <= 1);
    }
  }
};

}  // namespace
}  // namespace hyperscale::models

int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Ring<RelacySync>>("frame ring", kSwitches);
  ok &= every_schedule_holds<Ring<RelacySync, 2>>("frame ring of two slots", kSwitches);
  ok &=
      planted_bug_is_found<Ring<WithoutRelease>>("words stored relaxed", rl::test_result_user_assert_failed, kSwitches);
  ok &=
      planted_bug_is_found<Ring<WithoutAcquire>>("words loaded relaxed", rl::test_result_user_assert_failed, kSwitches);
  return ok ? 0 : 1;
}
