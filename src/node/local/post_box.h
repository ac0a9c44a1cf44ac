// PostBox: hands work to a loop for as long as the owner of the box lives. Whoever holds the box may call back late,
// from any thread, also after the loop is gone: such work is dropped.
//
// Thread rule: post() from any thread; close() once, before the loop ends.
#pragma once

#include <mutex>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace hyperscale::node {

class PostBox {
 public:
  explicit PostBox(boost::asio::io_context& io) : io_(&io) {}

  template <typename Work>
  void post(Work&& work) {
    const std::lock_guard lock(mutex_);
    if (io_ != nullptr) boost::asio::post(*io_, std::forward<Work>(work));
  }
  void close() {
    const std::lock_guard lock(mutex_);
    io_ = nullptr;
  }

 private:
  std::mutex mutex_;
  boost::asio::io_context* io_;
};

}  // namespace hyperscale::node
