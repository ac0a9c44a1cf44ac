// 64-byte samples from one process to another: through the sample stream, and through a plain ring of ours that hands
// one item on at a time. Both lose nothing here: the producer waits for the consumer, outside of what is measured per
// sample. Each consumer looks at every field.
//
// A virtual machine's cores come and go between the caches of its host, and a hand-over then costs five times as much.
// So both are measured in turn, in short rounds, beside the time that one word takes from core to core. Prints each
// round and the medians. Exit code 0: at least 50 M/s through the stream, or 0.6 of the plain ring.
#include "concurrent/atomics_policy.h"
#include "stream/sample_follower.h"
#include "stream/sample_publisher.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr int kRounds = 21;
constexpr std::int64_t kSamples = 10'000'000;
constexpr std::int64_t kHops = 100'000;
constexpr double kRateBar = 50e6;
constexpr double kRatioBar = 0.6;
constexpr RegionLayout kLayout{};
constexpr std::uint64_t kAheadMax = std::uint64_t{kLayout.nslots} / 2 * (kLayout.stride_bytes / kSampleBytes);

// Where one side is; in memory that both processes see.
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

// What a consumer makes of the samples: wrong if one is missing, doubled or torn.
class Checksum {
 public:
  void add(const Sample& sample) {
    numbers_ += sample.duration.count();
    rest_ += sample.ended.ns() - sample.duration.count() + sample.service.count() + sample.connect.count() +
             sample.tls.count() + sample.first_byte.count() + static_cast<std::int64_t>(sample.bytes_sent) +
             static_cast<std::int64_t>(sample.bytes_received) + sample.step + sample.outcome + sample.status;
  }
  bool is_of_all() const {
    constexpr std::int64_t kRestOfOne = 200 - 3;  // the status, and three phases that were not
    return numbers_ == kSamples * (kSamples - 1) / 2 && rest_ == kSamples * kRestOfOne;
  }

 private:
  std::int64_t numbers_ = 0;
  std::int64_t rest_ = 0;
};

void stay_on_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  if (::sched_setaffinity(0, sizeof(cores), &cores) != 0) std::abort();
}

// How long `there`, in another process on core 1, and `here` take together.
template <typename There, typename Here>
std::chrono::duration<double> time_of(const There& there, const Here& here) {
  const pid_t other = ::fork();
  if (other == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    stay_on_core(1);
    there();
    ::_exit(0);
  }
  const auto start = std::chrono::steady_clock::now();
  here();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ::waitpid(other, nullptr, 0);
  return took;
}

// How long a word takes from one core to the other.
std::chrono::duration<double> hop() {
  const auto shared = MappedRegion::anonymous(4096);
  auto& word = static_cast<Position*>(shared->data())->value;
  const auto took = time_of(
      [&] {
        for (std::uint64_t i = 0; i < kHops; i += 2) {
          while (word.load(std::memory_order_acquire) != i + 1) continue;
          word.store(i + 2, std::memory_order_release);
        }
      },
      [&] {
        for (std::uint64_t i = 0; i < kHops; i += 2) {
          word.store(i + 1, std::memory_order_release);
          while (word.load(std::memory_order_acquire) != i + 2) continue;
        }
      });
  return took / kHops;
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
    Checksum checksum;
    while (got < kSamples) {
      const std::uint64_t before = got;
      follower.poll([&](const Sample& sample) {
        checksum.add(sample);
        ++got;
      });
      if (got == before) ::sched_yield();
      position.value.store(got, std::memory_order_release);
    }
    if (follower.missed().samples != 0 || !checksum.is_of_all()) std::abort();
  };
  return static_cast<double>(kSamples) / time_of(produce, consume).count();
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
    Checksum checksum;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      while (i == tail_seen) {
        tail_seen = tail.load(std::memory_order_acquire);
        if (i == tail_seen) ::sched_yield();
      }
      checksum.add(from_record(items[i % kSlots].data()));
      head.store(i + 1, std::memory_order_release);
    }
    if (!checksum.is_of_all()) std::abort();
  };
  return static_cast<double>(kSamples) / time_of(produce, consume).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace
}  // namespace hyperscale::stream

int main() {
  using namespace hyperscale::stream;
  stay_on_core(0);
  std::vector<double> plains;
  std::vector<double> streams;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double hop_ns = std::chrono::duration<double, std::nano>(hop()).count();
    plains.push_back(through_a_plain_ring());
    streams.push_back(through_the_stream());
    ratios.push_back(streams.back() / plains.back());
    fmt::print("core to core {:3.0f} ns, plain ring {:5.1f} M/s, stream {:5.1f} M/s, ratio {:.2f}\n", hop_ns,
               plains.back() / 1e6, streams.back() / 1e6, ratios.back());
  }
  fmt::print("medians: plain ring {:.1f} M/s, stream {:.1f} M/s, ratio {:.2f}\n", median(plains) / 1e6,
             median(streams) / 1e6, median(ratios));
  return median(streams) >= kRateBar || median(ratios) >= kRatioBar ? 0 : 1;
}
