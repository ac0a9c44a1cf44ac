#include "node/run/control_client.h"
#include "node/run/control_folder.h"
#include "node/run/print_text.h"
#include "node/run/stream_commands.h"
#include "node/run/stream_host.h"
#include "results/outcome.h"
#include "stream/stream_messages.h"
#include "stream/subscription.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using stream::Sample;
using stream::SampleFollower;

constexpr int kPollMs = 10;
constexpr Duration kKeepaliveEvery = 1s;

void append_text(std::string& out, std::uint32_t number, const Sample& sample) {
  const auto outcome = std::min<std::size_t>(sample.outcome, results::kOutcomeCount - 1);
  const auto ms = [](Duration duration) { return static_cast<double>(duration.count()) / 1e6; };
  out += fmt::format("{:.6f} stream {} step {} {} {} {:.3f}ms", static_cast<double>(sample.ended.ns()) / 1e9, number,
                     sample.step, name(static_cast<results::Outcome>(outcome)), sample.status, ms(sample.duration));
  const std::pair<const char*, Duration> phases[] = {
      {"service", sample.service}, {"first byte", sample.first_byte}, {"connect", sample.connect}, {"tls", sample.tls}};
  for (const auto& [phase, time] : phases) {
    if (time != stream::kNoPhase) out += fmt::format(" {} {:.3f}ms", phase, ms(time));
  }
  out += '\n';
}

void append_json(std::string& out, std::uint32_t number, const Sample& sample) {
  const auto outcome = std::min<std::size_t>(sample.outcome, results::kOutcomeCount - 1);
  out += fmt::format(R"({{"stream":{},"step":{},"outcome":"{}","status":{},"ended_ns":{},"duration_ns":{})", number,
                     sample.step, name(static_cast<results::Outcome>(outcome)), sample.status, sample.ended.ns(),
                     sample.duration.count());
  const std::pair<const char*, Duration> phases[] = {{"service_ns", sample.service},
                                                     {"first_byte_ns", sample.first_byte},
                                                     {"connect_ns", sample.connect},
                                                     {"tls_ns", sample.tls}};
  for (const auto& [phase, time] : phases) {
    if (time != stream::kNoPhase) out += fmt::format(R"(,"{}":{})", phase, time.count());
  }
  out += fmt::format(R"(,"bytes_sent":{},"bytes_received":{}}})", sample.bytes_sent, sample.bytes_received);
  out += '\n';
}

// Follows the streams of one run until it ends.
class Tail {
 public:
  Tail(const StreamTailOptions& options, std::string base, std::string socket)
      : options_(options), base_(std::move(base)), socket_(std::move(socket)) {}

  Status run() {
    if (Status first = look(); !first) return first;
    for (MonoTime looked = stream::boot_now(); !full();) {
      const bool any = read_all();
      if (!any && reader_left()) break;
      // Also while samples come without a pause: a lease that is not kept ends, and an epoch may change.
      const MonoTime now = stream::boot_now();
      if (now - looked < kKeepaliveEvery) continue;
      looked = now;
      // A run that does not answer any more has ended: what it published last is still in memory.
      if (!look()) break;
    }
    while (!full() && read_all()) continue;
    leave();
    return {};
  }

  std::uint64_t samples() const { return samples_; }
  stream::Missed missed() const {
    stream::Missed sum = missed_;
    for (const auto& [number, followed] : followed_) add(sum, followed);
    return sum;
  }

 private:
  struct Followed {
    std::uint64_t lease = 0;
    std::optional<stream::Subscription> subscription;
  };

  static void add(stream::Missed& sum, const Followed& followed) {
    if (!followed.subscription) return;
    const stream::Missed one = followed.subscription->missed();
    sum.samples += one.samples;
    sum.drops_gap += one.drops_gap;
    sum.drops_late += one.drops_late;
  }

  bool full() const { return options_.limit > 0 && samples_ >= options_.limit; }

  Result<std::string> ask(std::string_view method, const stream::StreamRequest& request) const {
    return ask_run(socket_, method, encode(request));
  }

  // Attaches to streams that are new, and keeps the leases of the others.
  Status look() {
    const auto answer = ask(stream::kAnnounceMethod, {});
    if (!answer) return fail(answer.error());
    const auto announced = stream::decode_announcement(as_bytes(*answer));
    if (!announced) return fail(announced.error());
    for (const stream::AnnouncedStream& one : announced->streams) {
      if (options_.stream >= 0 && one.stream != static_cast<std::uint64_t>(options_.stream)) continue;
      const auto known = followed_.find(one.stream);
      if (known != followed_.end()) {
        keep(one.stream, known->second);
      } else if (one.has_regions) {
        attach(one.stream);
      }
    }
    return {};
  }

  void attach(std::uint32_t number) {
    const auto answer = ask(stream::kAttachMethod, {.stream = number});
    const auto grant = answer ? stream::decode_grant(as_bytes(*answer)) : fail(answer.error());
    // Its producer may have ended meanwhile; the next look tells.
    if (!grant) return;
    Followed& followed = followed_[number];
    followed.lease = grant->lease;
    map(number, followed, *grant);
  }

  void keep(std::uint32_t number, Followed& followed) {
    const std::uint64_t mapped = followed.subscription ? followed.subscription->epoch().value() : 0;
    const auto answer = ask(stream::kKeepaliveMethod, {.stream = number, .lease = followed.lease, .mapped = mapped});
    const auto grant = answer ? stream::decode_grant(as_bytes(*answer)) : fail(answer.error());
    if (!grant) {
      // The lease has ended: what it gave is not used any more.
      forget(followed);
      followed_.erase(number);
      return;
    }
    if (grant->epoch != mapped && grant->has_regions) map(number, followed, *grant);
  }

  // What was not read of the old epoch is dropped.
  void map(std::uint32_t number, Followed& followed, const stream::GrantMessage& grant) {
    const bool from_start = options_.from_start || followed.subscription;
    forget(followed);
    auto opened =
        stream::Subscription::open(base_, grant.folder, stream::StreamNumber(number), stream::Epoch(grant.epoch),
                                   from_start ? SampleFollower::From::kOldest : SampleFollower::From::kNewest);
    if (opened) {
      followed.subscription = std::move(*opened);
    } else {
      print_text(stderr, fmt::format("hyperscale stream tail: stream {}: {}\n", number, opened.error().context));
    }
  }

  void forget(Followed& followed) {
    add(missed_, followed);
    followed.subscription.reset();
  }

  bool read_all() {
    bool any = false;
    std::string out;
    for (auto& [number, followed] : followed_) {
      if (!followed.subscription) continue;
      any |= followed.subscription->samples().poll([&, from = number](const Sample& sample) {
        if (full()) return;
        ++samples_;
        (options_.json ? &append_json : &append_text)(out, from, sample);
      });
    }
    if (!out.empty()) print_text(stdout, out);
    return any;
  }

  // Waits a moment for more, and notices that nobody reads what is printed.
  static bool reader_left() {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return ::poll(&output, 1, kPollMs) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
  }

  void leave() {
    for (const auto& [number, followed] : followed_)
      (void)ask(stream::kDetachMethod, {.stream = number, .lease = followed.lease});
  }

  const StreamTailOptions& options_;
  const std::string base_;
  const std::string socket_;
  std::map<std::uint32_t, Followed> followed_;
  std::uint64_t samples_ = 0;
  stream::Missed missed_;
};

int failed(std::string_view sentence) {
  print_text(stderr, fmt::format("hyperscale stream tail: {}\n", sentence));
  return EXIT_FAILURE;
}

}  // namespace

int stream_tail_command(const StreamTailOptions& options) {
  const auto setup = driver_setup_from_environment("");
  if (!setup) return failed(setup.error().context);
  const std::string folder = control_folder_path();
  if (Status ours = check_control_folder(folder); !ours && ours.error().code != ErrorCode::kNotFound)
    return failed(ours.error().context);
  const std::vector<std::string> runs = living_runs(folder);
  if (runs.empty()) return failed("no run of this user is under way");
  const std::string& run = options.run.empty() ? runs.back() : options.run;
  if (std::ranges::find(runs, run) == runs.end()) return failed(fmt::format("no run {} is under way", run));
  Tail tail(options, options.base.empty() ? setup->shm_base_dir : options.base, control_socket_path(folder, run));
  if (Status ran = tail.run(); !ran) return failed(ran.error().context);
  const stream::Missed missed = tail.missed();
  print_text(stderr, fmt::format("{} samples; missed {} (drops_gap {}, drops_late {})\n", tail.samples(),
                                 missed.samples, missed.drops_gap, missed.drops_late));
  return EXIT_SUCCESS;
}

}  // namespace hyperscale::node
