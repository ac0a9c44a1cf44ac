// ReportQueue: the bounded queue between a run and its reporters, and the thread that empties it.
//
// The owner of the run never waits for a reporter: when a queue is full, the new item is dropped and counted. Each
// reporter has a queue and a thread of its own, so that a slow one costs the others nothing. At the end settle() waits
// for what is queued and finish() for end(), as long as the reporter makes progress: one that takes nothing for
// kReportPatience, or has not finished when the owner is interrupted, is left behind with its thread, and what it had
// not taken counts as dropped. Samples are handed out in pieces, so that progress shows and at most one piece is both
// written and dropped.
//
// Thread rule: all members from one thread, the owner's. Nothing is posted after finish(). Without reporters there is
// no thread.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "live/live_line.h"
#include "report/reporters/reporter.h"
#include "results/run_result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::report {

// Waiting for one reporter: moments and windows, a quarter of an hour of them; pieces of spans of samples, and the
// samples in them, about 100 MB.
inline constexpr std::size_t kReportItemsMax = 1'024;
inline constexpr std::size_t kReportPiecesMax = 65'536;
inline constexpr std::size_t kReportSamplesMax = 1'000'000;
inline constexpr std::size_t kReportPieceSamplesMax = 128;  // about 16 KB of text
inline constexpr Duration kReportPatience = 10s;
inline constexpr Duration kReportQuiet = 2s;
inline constexpr Duration kReportLook = 50ms;

// How the owner waits at the end. Called from its thread, every kReportLook, and may not call the queue.
struct ReportWaiting {
  std::function<MonoTime()> now;
  std::function<bool()> interrupted = [] { return false; };           // ends the waiting for all reporters
  std::function<void(const std::string&)> slow = [](const auto&) {};  // a sentence, after kReportQuiet
};

class ReportQueue {
 public:
  explicit ReportQueue(ReportWaiting waiting) : waiting_(std::move(waiting)) {}
  ~ReportQueue();
  ReportQueue(const ReportQueue&) = delete;
  ReportQueue& operator=(const ReportQueue&) = delete;

  // Starts its thread.
  void add(std::unique_ptr<Reporter> reporter);
  bool empty() const { return lanes_.empty(); }
  bool wants_samples() const;

  void begin(const results::RunFacts& facts);
  void moment(const live::LiveLine& line);
  void window(const results::Window& window);
  void samples(const SampleSpan& span);
  // That were overwritten before the run read them.
  void lost_samples(std::uint64_t count);
  // Waits until all that was posted is taken or dropped, so that reports() can go into the result.
  void settle();
  // Hands out the result and waits until all reporters are done.
  void finish(const results::RunResult& result);

  // Of each reporter, in the order of add(): what was taken and dropped so far, and why it ended early.
  std::vector<ReporterReport> reports() const;

 private:
  class Lane;
  const ReportWaiting waiting_;
  std::vector<std::shared_ptr<Lane>> lanes_;
};

}  // namespace hyperscale::report
