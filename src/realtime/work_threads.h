// WorkThreads: the threads of a world, with a join that has a deadline.
//
// Each thread marks its end on a board; a joiner waits for that mark, so a thread that never ends cannot block it.
// After the deadline it is detached; it keeps its keep_alive object. Threads that have ended are joined by the next
// start(), so their number stays bounded. Thread rule: start() and the joins from any thread, one at a time per object;
// closing stops further starts.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace hyperscale::realtime {

// Starts a named thread, or returns why it cannot.
using ThreadFactory = std::function<Result<std::thread>(const std::string& name, std::function<void()> body)>;

Result<std::thread> start_named_thread(const std::string& name, std::function<void()> body);

class WorkThreads {
 public:
  explicit WorkThreads(ThreadFactory factory) : factory_(std::move(factory)), board_(std::make_shared<Board>()) {}

  // The thread itself releases keep_alive, after body.
  Status start(const std::string& name, std::shared_ptr<void> keep_alive, std::function<void()> body);
  void close();

  bool all_exited() const;
  // Counts ends of threads and calls of progress().
  std::uint64_t changes() const;
  // Returns when changes() differs from `seen`, at the latest after `at_most`.
  void wait_for_change(std::uint64_t seen, Duration at_most) const;
  void progress() const;

  // Joins threads that have ended and detaches the rest; returns the names of the detached.
  std::vector<std::string> join_or_detach();
  // Threads that were neither joined nor detached.
  std::size_t kept() const;

 private:
  struct Board {
    std::mutex mutex;
    std::condition_variable changed;
    std::set<std::uint64_t> running;
    std::uint64_t changes = 0;
  };
  struct Started {
    std::string name;
    std::uint64_t number;  // on the board
    std::thread thread;
  };

  bool has_exited(const Started& started) const;
  void join_exited();

  ThreadFactory factory_;
  std::shared_ptr<Board> board_;  // outlives this object for detached threads
  mutable std::mutex mutex_;
  bool closed_ = false;
  std::uint64_t next_number_ = 0;
  std::vector<Started> started_;
};

}  // namespace hyperscale::realtime
