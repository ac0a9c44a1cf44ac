#include "report/reporters/report_queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::report {

// One reporter, its queue and its thread, which holds the lane: a reporter that hangs keeps what it uses alive.
class ReportQueue::Lane : public std::enable_shared_from_this<Lane> {
 public:
  using Call = std::function<Status(Reporter&)>;

  explicit Lane(std::unique_ptr<Reporter> reporter)
      : reporter_(std::move(reporter)), wants_samples_(reporter_->wants_samples()) {
    report_.name = reporter_->name();
  }

  void start() {
    thread_ = std::thread([self = shared_from_this()] { self->run(); });
  }

  bool wants_samples() const { return wants_samples_; }

  void post(Call call, std::size_t samples = 0) {
    const std::lock_guard lock(mutex_);
    const bool full = samples > 0 ? pieces_ >= kReportPiecesMax || samples_ + samples > kReportSamplesMax
                                  : queue_.size() - pieces_ >= kReportItemsMax;
    if (full || !report_.error.empty()) {
      ++report_.dropped;
      report_.samples_lost += samples;
      return;
    }
    samples_ += samples;
    pieces_ += samples > 0 ? 1 : 0;
    queue_.push_back({std::move(call), samples});
    changed_.notify_all();
  }

  void lose_samples(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    report_.samples_lost += count;
  }

  // The last call, whatever is queued before it.
  void close(Call end) {
    const std::lock_guard lock(mutex_);
    end_ = std::move(end);
    changed_.notify_all();
  }

  void wait_idle(const ReportWaiting& waiting) {
    wait(waiting, [this] { return queue_.empty() && !busy_; });
  }
  void wait_done(const ReportWaiting& waiting) {
    wait(waiting, [this] { return done_; });
    if (!thread_.joinable()) return;
    if (abandoned_) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  ReporterReport report() const {
    const std::lock_guard lock(mutex_);
    return report_;
  }

 private:
  struct Item {
    Call call;
    std::size_t samples = 0;
  };

  template <typename Condition>
  void wait(const ReportWaiting& waiting, const Condition& condition) {
    std::unique_lock lock(mutex_);
    const MonoTime begun = waiting.now();
    MonoTime moved = begun;
    std::uint64_t seen = progress_;
    bool told = false;
    while (!abandoned_ && !condition()) {
      changed_.wait_for(lock, kReportLook);
      if (condition()) return;
      const MonoTime now = waiting.now();
      if (std::exchange(seen, progress_) != progress_) moved = now;
      if (waiting.interrupted()) return abandon("was cut off by a signal");
      if (now - moved >= kReportPatience) return abandon("did not end in time");
      if (now - begun >= kReportQuiet && !std::exchange(told, true))
        waiting.slow(fmt::format("{} is still being written; Ctrl-C ends it", report_.name));
    }
  }

  // Its thread ends when the reporter returns.
  void abandon(std::string_view why) {
    report_.dropped += queue_.size() + (busy_ ? 1 : 0);
    report_.samples_lost += samples_ + busy_samples_;
    if (report_.error.empty()) report_.error = fmt::format("{} {}", report_.name, why);
    abandoned_ = true;
    queue_.clear();
    samples_ = pieces_ = 0;
    changed_.notify_all();
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !queue_.empty() || end_ || abandoned_; });
      if (abandoned_) return;
      if (queue_.empty()) break;
      Item item = std::move(queue_.front());
      queue_.pop_front();
      samples_ -= item.samples;
      pieces_ -= item.samples > 0 ? 1 : 0;
      if (!report_.error.empty()) {
        ++report_.dropped;
        report_.samples_lost += item.samples;
        ++progress_;
        changed_.notify_all();
        continue;
      }
      busy_ = true;
      busy_samples_ = item.samples;
      lock.unlock();
      const Status taken = item.call(*reporter_);
      lock.lock();
      if (abandoned_) return;
      note(taken);
      if (!taken) report_.samples_lost += item.samples;
      busy_ = false;
      busy_samples_ = 0;
      ++progress_;
      changed_.notify_all();
    }
    Call end = std::move(*end_);
    lock.unlock();
    const Status ended = end(*reporter_);
    lock.lock();
    if (!ended && !abandoned_) note(ended);
    done_ = true;
    changed_.notify_all();
  }

  void note(const Status& taken) {
    ++(taken ? report_.taken : report_.dropped);
    if (!taken && report_.error.empty()) report_.error = taken.error().context;
  }

  const std::unique_ptr<Reporter> reporter_;
  const bool wants_samples_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::size_t pieces_ = 0;        // in the queue
  std::size_t samples_ = 0;       // in those
  std::size_t busy_samples_ = 0;  // with the reporter now
  std::uint64_t progress_ = 0;    // items that are done with
  std::optional<Call> end_;
  bool busy_ = false;
  bool done_ = false;
  bool abandoned_ = false;
  ReporterReport report_;
  std::thread thread_;  // of the owner: joined, or detached when it hangs
};

// A run that did not come to its end.
ReportQueue::~ReportQueue() {
  for (const auto& lane : lanes_) lane->close([](Reporter&) { return Status(); });
  for (const auto& lane : lanes_) lane->wait_done(waiting_);
}

void ReportQueue::add(std::unique_ptr<Reporter> reporter) {
  lanes_.push_back(std::make_shared<Lane>(std::move(reporter)));
  lanes_.back()->start();
}

bool ReportQueue::wants_samples() const {
  return std::ranges::any_of(lanes_, [](const auto& lane) { return lane->wants_samples(); });
}

void ReportQueue::begin(const results::RunFacts& facts) {
  for (const auto& lane : lanes_) lane->post([facts](Reporter& reporter) { return reporter.begin(facts); });
}

void ReportQueue::moment(const live::LiveLine& line) {
  for (const auto& lane : lanes_) lane->post([line](Reporter& reporter) { return reporter.moment(line); });
}

void ReportQueue::window(const results::Window& window) {
  for (const auto& lane : lanes_) lane->post([window](Reporter& reporter) { return reporter.window(window); });
}

void ReportQueue::samples(const SampleSpan& span) {
  if (!wants_samples() || span.samples.empty()) return;
  const auto kept = std::make_shared<const std::vector<stream::Sample>>(span.samples.begin(), span.samples.end());
  for (std::size_t at = 0; at < kept->size(); at += kReportPieceSamplesMax) {
    const std::size_t size = std::min(kReportPieceSamplesMax, kept->size() - at);
    for (const auto& lane : lanes_) {
      if (!lane->wants_samples()) continue;
      lane->post(
          [kept, at, size, source = span.source](Reporter& reporter) {
            return reporter.samples({.source = source, .samples = std::span(*kept).subspan(at, size)});
          },
          size);
    }
  }
}

void ReportQueue::lost_samples(std::uint64_t count) {
  for (const auto& lane : lanes_)
    if (lane->wants_samples()) lane->lose_samples(count);
}

void ReportQueue::settle() {
  for (const auto& lane : lanes_) lane->wait_idle(waiting_);
}

void ReportQueue::finish(const results::RunResult& result) {
  const auto all = std::make_shared<const results::RunResult>(result);
  for (const auto& lane : lanes_) lane->close([all](Reporter& reporter) { return reporter.end(*all); });
  for (const auto& lane : lanes_) lane->wait_done(waiting_);
}

std::vector<ReporterReport> ReportQueue::reports() const {
  std::vector<ReporterReport> reports;
  reports.reserve(lanes_.size());
  for (const auto& lane : lanes_) reports.push_back(lane->report());
  return reports;
}

}  // namespace hyperscale::report
