// 64-byte samples from one process to another: through the sample stream, and through a plain ring of ours that hands
// one item on at a time. Both lose nothing here: the producer waits for the consumer, outside of what is measured per
// sample. Prints samples per second of both, and their ratio.
#include "concurrent/atomics_policy.h"
#include "stream/sample_follower.h"
#include "stream/sample_publisher.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr std::int64_t kSamples = 100'000'000;
constexpr RegionLayout kLayout{};
constexpr std::uint64_t kAheadMax = std::uint64_t{kLayout.nslots} / 2 * (kLayout.stride_bytes / kSampleBytes);

// Where the consumer is; in memory that both processes see.
struct alignas(concurrent::kCacheLineBytes) Position {
  std::atomic<std::uint64_t> value;
};

Sample sample_of(std::int64_t number) {
  Sample sample;
  sample.ended = MonoTime::from_ns(number);
  sample.duration = Duration(number);
  sample.status = 200;
  return sample;
}

template <typename Produce, typename Consume>
double samples_per_second(const Produce& produce, const Consume& consume) {
  const pid_t producer = ::fork();
  if (producer == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    produce();
    ::_exit(0);
  }
  const auto start = std::chrono::steady_clock::now();
  consume();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ::waitpid(producer, nullptr, 0);
  return static_cast<double>(kSamples) / took.count();
}

double through_the_stream() {
  const auto header = MappedRegion::anonymous(kLayout.header_file_bytes());
  const auto pool = MappedRegion::anonymous(kLayout.pool_file_bytes());
  const auto shared = MappedRegion::anonymous(4096);
  auto& position = *static_cast<Position*>(shared->data());
  const auto memory = ring_memory(*header, *pool, kLayout.nslots, kLayout.stride_bytes);
  const auto produce = [&] {
    SamplePublisher publisher(memory);
    for (std::int64_t i = 0; i < kSamples; ++i) {
      publisher.publish(sample_of(i));
      if (publisher.has_unflushed()) continue;
      while (static_cast<std::uint64_t>(i) > position.value.load(std::memory_order_acquire) + kAheadMax)
        ::sched_yield();
    }
    publisher.flush();
  };
  const auto consume = [&] {
    SampleFollower follower(memory, SampleFollower::From::kOldest);
    std::uint64_t got = 0;
    std::int64_t sum = 0;
    while (got < kSamples) {
      const std::uint64_t before = got;
      follower.poll([&](const Sample& sample) {
        sum += sample.duration.count();
        ++got;
      });
      if (got == before) ::sched_yield();
      position.value.store(got, std::memory_order_release);
    }
    if (follower.missed().samples != 0 || sum != kSamples * (kSamples - 1) / 2) std::abort();
  };
  return samples_per_second(produce, consume);
}

// One item per hand-over, both sides with a copy of the other's index: as concurrent::SpscRing, in shared memory.
double through_a_plain_ring() {
  constexpr std::uint64_t kSlots = 65'536;
  const auto slots = MappedRegion::anonymous(kSlots * kSampleBytes);
  const auto shared = MappedRegion::anonymous(4096);
  auto& tail = static_cast<Position*>(shared->data())[0].value;
  auto& head = static_cast<Position*>(shared->data())[1].value;
  auto* items = static_cast<SampleRecord*>(slots->data());
  const auto produce = [&] {
    std::uint64_t head_seen = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      while (i - head_seen == kSlots) {
        head_seen = head.load(std::memory_order_acquire);
        if (i - head_seen == kSlots) ::sched_yield();
      }
      items[i % kSlots] = to_record(sample_of(static_cast<std::int64_t>(i)));
      tail.store(i + 1, std::memory_order_release);
    }
  };
  const auto consume = [&] {
    std::uint64_t tail_seen = 0;
    std::int64_t sum = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      while (i == tail_seen) {
        tail_seen = tail.load(std::memory_order_acquire);
        if (i == tail_seen) ::sched_yield();
      }
      sum += from_record(items[i % kSlots].data()).duration.count();
      head.store(i + 1, std::memory_order_release);
    }
    if (sum != kSamples * (kSamples - 1) / 2) std::abort();
  };
  return samples_per_second(produce, consume);
}

}  // namespace
}  // namespace hyperscale::stream

int main() {
  using namespace hyperscale::stream;
  const double plain = through_a_plain_ring();
  const double stream = through_the_stream();
  fmt::print("plain ring {:.1f} M/s, stream {:.1f} M/s, ratio {:.2f}\n", plain / 1e6, stream / 1e6, stream / plain);
  return stream >= 50e6 || stream >= 0.6 * plain ? 0 : 1;
}
