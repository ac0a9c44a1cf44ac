// ExecutorLink: one executor process and the socket to it.
//
// Thread rule: the thread that runs `io`. Callbacks run on `io`, never inside a call, and never after `gone` or after
// abandon(). An executor that breaks the protocol, or does not read its messages, is killed. The process is always
// reaped: by the link when its socket closes, or by abandon().
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "node/executors/executor_messages.h"
#include "plan/limits.h"
#include "runtime/process/child_process.h"
#include "wire/frame_decoder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <sys/types.h>

namespace hyperscale::node {

namespace asio = boost::asio;

// Messages that wait for an executor: room for the largest plan, a start with all shared values and every change that a
// run takes. Beyond it the executor is killed and counts as gone.
inline constexpr std::size_t kUnreadBytesMax = plan::kPlanBytesMax + (std::size_t{32} << 20);

struct ExecutorExit {
  int wait_status = 0;  // as from waitpid()
  Duration cpu{};       // of the whole process
  bool unread = false;  // killed because of kUnreadBytesMax
};
// "killed by signal 9", "ended with status 1"
std::string describe(const ExecutorExit& exit);

// Descriptors of the child: the socket, one per region of its stream, then the numbers of iterations that all executors
// of a workflow share.
inline constexpr int kChildControlFd = runtime::kChildFirstFd;
inline constexpr int kChildRegionFd = kChildControlFd + 1;
inline constexpr int kChildRegions = 4;

class ExecutorLink : public std::enable_shared_from_this<ExecutorLink> {
 public:
  struct Events {
    std::function<void(const ExecutorMessage&)> message;
    std::function<void(const ExecutorExit&)> gone;
  };
  struct Program {
    std::string path;
    std::vector<std::string> arguments;
    int core = -1;
  };

  static Result<std::shared_ptr<ExecutorLink>> start(asio::io_context& io, const Program& program,
                                                     const std::array<int, kChildRegions>& region_fds, Events events);
  ~ExecutorLink();

  // Sends in the order of the calls; does not block. Drops what exceeds kUnreadBytesMax, and kills.
  void send(SharedBytes bytes);
  void send(const ExecutorMessage& message) { send(SharedBytes::adopt(encode_message(message))); }
  void kill();
  void abandon();
  pid_t process() const { return process_; }  // zero after it was reaped

 private:
  ExecutorLink(asio::io_context& io, Events events) : socket_(io), events_(std::move(events)) {}
  void write();
  void read();
  // False: the peer broke the protocol.
  bool take(ByteView bytes);
  void end();
  ExecutorExit reap();

  asio::local::stream_protocol::socket socket_;
  Events events_;
  pid_t process_ = 0;
  wire::FrameDecoder decoder_{kExecutorFrames};
  std::array<std::uint8_t, 4096> chunk_{};
  std::deque<SharedBytes> outbox_;
  std::size_t unread_bytes_ = 0;  // of outbox_
  bool unread_ = false;           // kUnreadBytesMax was exceeded
};

}  // namespace hyperscale::node
