// EventLoops: the threads that all tasks of a node run on. Many threads by default; one in the single-thread flavour.
//
// Code on these threads never blocks; blocking work goes to the BlockingPool. The supervisor itself runs on the main
// thread's own loop (see src/node), so a stuck task cannot keep a node from stopping.
// Life: construct, start(), and at the end stop_and_join().
#pragma once

#include "base/time.h"

#include <memory>
#include <thread>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class EventLoops {
 public:
  explicit EventLoops(unsigned threads);
  ~EventLoops();
  EventLoops(const EventLoops&) = delete;
  EventLoops& operator=(const EventLoops&) = delete;

  void start();
  // Every coroutine gets its own strand, so its state needs no lock with any number of threads.
  asio::any_io_executor make_strand() { return asio::make_strand(*context_); }
  asio::any_io_executor executor() { return context_->get_executor(); }
  unsigned thread_count() const { return thread_count_; }

  // True when all threads ended within the grace; false leaves the stuck ones detached, with what they run on kept
  // alive.
  bool stop_and_join(Duration grace);

 private:
  struct Shared;
  unsigned thread_count_;
  std::shared_ptr<Shared> shared_;
  asio::io_context* context_;
  std::vector<std::thread> threads_;
};

}  // namespace hyperscale::runtime
