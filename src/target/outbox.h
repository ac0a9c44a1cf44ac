// Outbox: queued output and output that is being sent, in two strings that keep their memory. Answers that are ready
// together are sent with one send().
//
// Single-threaded.
#pragma once

#include "target/byte_pipe.h"

#include <string>

namespace hyperscale::target {

class Outbox {
 public:
  // Append output here.
  std::string& queued() { return queued_; }
  bool busy() const { return busy_; }
  bool empty() const { return !busy_ && queued_.empty(); }

  // Sends queued output unless a send is pending. False: the pipe is busy, on_sent() will come.
  bool flush(BytePipe& pipe) {
    if (busy_) return false;
    if (queued_.empty()) return true;
    sending_.swap(queued_);
    queued_.clear();
    // A callback inside send() must find the outbox busy, so that it does not send.
    busy_ = true;
    busy_ = !pipe.send(as_bytes(sending_));
    if (!busy_ && sending_.capacity() > kKeptBytes) std::string().swap(sending_);
    return !busy_;
  }
  void on_sent() { busy_ = false; }

 private:
  static constexpr std::size_t kKeptBytes = 128 << 10;
  std::string queued_;
  std::string sending_;
  bool busy_ = false;
};

}  // namespace hyperscale::target
