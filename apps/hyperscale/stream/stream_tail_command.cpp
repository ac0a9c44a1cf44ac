#include "apps/hyperscale/stream/end_signal.h"
#include "apps/hyperscale/stream/stream_commands.h"
#include "apps/hyperscale/stream/stream_tail.h"
#include "base/json_writer.h"
#include "base/print_text.h"
#include "node/control/control_client.h"
#include "node/control/control_folder.h"
#include "node/executors/stream_setup.h"
#include "results/outcome.h"
#include "stream/stream_messages.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

using stream::Sample;

constexpr int kPollMs = 10;

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
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("stream", number);
  json.field("step", sample.step);
  json.field("outcome", name(static_cast<results::Outcome>(outcome)));
  json.field("status", sample.status);
  json.field("ended_ns", sample.ended.ns());
  json.field("duration_ns", sample.duration.count());
  const std::pair<const char*, Duration> phases[] = {{"service_ns", sample.service},
                                                     {"first_byte_ns", sample.first_byte},
                                                     {"connect_ns", sample.connect},
                                                     {"tls_ns", sample.tls}};
  for (const auto& [phase, time] : phases) {
    if (time != stream::kNoPhase) json.field(phase, time.count());
  }
  json.field("bytes_sent", sample.bytes_sent);
  json.field("bytes_received", sample.bytes_received);
  json.end_object();
  out += json.take();
}

// Prints samples until the run ends, the limit is reached or a signal arrives.
class Printer {
 public:
  Printer(const StreamTailOptions& options, StreamTail& tail) : options_(options), tail_(tail) {}

  Status run() {
    if (Status first = tail_.look(); !first) return first;
    if (tail_.nothing_can_be_read()) return fail(ErrorCode::kUnavailable, "none of its streams can be read");
    for (MonoTime looked = stream::boot_now(); !full() && !ended_.came();) {
      const bool any = print_some();
      if (!any && reader_left()) break;
      // Even without a pause in the samples: leases must be renewed, and an epoch may change.
      const MonoTime now = stream::boot_now();
      if (now - looked < tail_.look_every()) continue;
      looked = now;
      // A run that no longer answers has ended: its last samples are still in memory.
      if (!tail_.look()) break;
    }
    while (!full() && !ended_.came() && print_some()) continue;
    tail_.leave();
    return {};
  }

  std::uint64_t samples() const { return samples_; }

 private:
  bool full() const { return options_.limit > 0 && samples_ >= options_.limit; }

  bool print_some() {
    std::string out;
    const bool any = tail_.read([&](std::uint32_t number, const Sample& sample) {
      if (full()) return;
      ++samples_;
      (options_.json ? &append_json : &append_text)(out, number, sample);
    });
    if (!out.empty()) print_text(stdout, out);
    return any;
  }

  // Waits kPollMs at most; true if the reader of standard output is gone.
  bool reader_left() const {
    const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(tail_.look_every()).count();
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return ::poll(&output, 1, static_cast<int>(std::min<std::int64_t>(kPollMs, most))) > 0 &&
           (output.revents & (POLLERR | POLLHUP)) != 0;
  }

  const StreamTailOptions& options_;
  StreamTail& tail_;
  const EndSignal ended_;
  std::uint64_t samples_ = 0;
};

void complain(const std::string& sentence) {
  print_text(stderr, fmt::format("hyperscale stream tail: {}\n", sentence));
}

int failed(const std::string& sentence) {
  complain(sentence);
  return EXIT_FAILURE;
}

}  // namespace

int stream_tail_command(const StreamTailOptions& options) {
  const auto setup = node::driver_setup_from_environment("");
  if (!setup) return failed(setup.error().context);
  const std::string folder = node::control_folder_path();
  if (Status ours = node::check_control_folder(folder); !ours && ours.error().code != ErrorCode::kNotFound)
    return failed(ours.error().context);
  const std::vector<std::string> runs = node::living_runs(folder);
  if (runs.empty()) return failed("no run of this user is under way");
  const std::string& run = options.run.empty() ? runs.back() : options.run;
  if (std::ranges::find(runs, run) == runs.end()) return failed(fmt::format("no run {} is under way", run));
  StreamTail tail(
      {.ask = [socket = node::control_socket_path(folder, run)](
                  std::string_view method, const stream::StreamRequest& request) -> Result<std::string> {
         return node::ask_run(socket, method, encode(request));
       },
       .complain = &complain,
       .base = options.base.empty() ? setup->shm_base_dir : node::absolute_base(options.base),
       .only = options.stream < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(options.stream)),
       .from_start = options.from_start});
  Printer printer(options, tail);
  if (Status ran = printer.run(); !ran) return failed(ran.error().context);
  const stream::Missed missed = tail.missed();
  print_text(stderr, fmt::format("{} samples; missed {} (drops_gap {}, drops_late {})\n", printer.samples(),
                                 missed.samples, missed.drops_gap, missed.drops_late));
  return EXIT_SUCCESS;
}

}  // namespace hyperscale::app
