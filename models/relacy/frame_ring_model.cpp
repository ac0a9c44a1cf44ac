// FrameWriter and FrameReader: a writer goes round a ring of two slots, a reader must get whole frames, in order, and
// miss none without counting it.
#include "model_run.h"
#include "stream/frame_ring.h"

#include <array>
#include <cstdint>
#include <memory>

namespace hyperscale::models {
namespace {

constexpr std::uint32_t kSlots = 2;
constexpr std::uint64_t kFrames = 3;  // the third overwrites the first

template <typename Sync>
struct Ring : rl::test_suite<Ring<Sync>, 2> {
  using Word = typename stream::RingMemory<Sync>::Word;
  struct Cells {
    std::array<Word, kSlots * stream::kFrameHeaderWords> headers;
    std::array<Word, kSlots> payloads;
  };
  std::unique_ptr<Cells> cells = std::make_unique<Cells>();

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
  }

  void thread(unsigned index) {
    if (index == 0) {
      stream::FrameWriter<Sync> writer(memory());
      for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
        stream::FrameWriter<Sync>::put(*writer.begin(), frame + 10);
        writer.commit({.values_bytes = 8, .first_sample = frame});
      }
      return;
    }
    stream::FrameReader<Sync> reader(memory());
    stream::FrameHeader header;
    std::array<std::uint64_t, 1> values{};
    std::uint64_t taken = 0;
    for (int i = 0; i < 2; ++i) {
      if (reader.take(header, values) != stream::FrameReader<Sync>::Took::kFrame) continue;
      RL_ASSERT(values[0] == header.first_sample + 10);
      RL_ASSERT(header.first_sample == taken + reader.drops_gap() + reader.drops_late());
      ++taken;
    }
  }
};

}  // namespace
}  // namespace hyperscale::models

int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Ring<RelacySync>>("frame ring");
  ok &= planted_bug_is_found<Ring<WithoutRelease>>("words stored relaxed", rl::test_result_user_assert_failed);
  ok &= planted_bug_is_found<Ring<WithoutAcquire>>("words loaded relaxed", rl::test_result_user_assert_failed);
  return ok ? 0 : 1;
}
