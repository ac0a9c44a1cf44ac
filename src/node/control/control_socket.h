// ControlSocket: lets other processes of the same user ask a run how it is, or stop it. Framed requests (wire/frame.h)
// with the methods `status` (answer: one JSON object), `change` and `stop` (with the name of a workflow, or nothing for
// all; answer: empty), and those of the run's streams; an unknown method is answered by an error frame, a broken frame
// by closing.
//
// Thread rule: the thread that runs `io`. The socket file has mode 0600 and is removed by the destructor. At most
// kControlClientsMax clients at once; more wait for their turn. A client gets one answer per request, in order.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/load_command.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <sys/types.h>

namespace hyperscale::node {

namespace asio = boost::asio;

inline constexpr std::size_t kControlClientsMax = 16;
inline constexpr std::size_t kControlFrameBytesMax = 4096;

using ChangeAnswer = std::function<void(Result<std::string>)>;

struct ControlActions {
  std::function<std::string()> status;                    // JSON
  std::function<Status(std::string_view workflow)> stop;  // empty: of the whole run
  // Answers once, now or later, on the thread of `io`: JSON of what was done, or why it was not.
  std::function<void(const plan::LoadRequest&, ChangeAnswer)> change = {};
  // Methods of streams, by the process that asks; empty: the run has none.
  std::function<Result<std::vector<std::uint8_t>>(std::string_view method, ByteView body, pid_t peer)> stream = {};
};

class ControlSocket {
 public:
  // Fails when the folder is not ours or the path is too long for a socket.
  static Result<std::unique_ptr<ControlSocket>> listen(asio::io_context& io, const std::string& folder,
                                                       const std::string& run_id, ControlActions actions);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  const std::string& path() const { return path_; }

 private:
  class Client;
  ControlSocket(asio::io_context& io, std::string path, ControlActions actions);
  void accept();
  void client_left(Client& client);

  asio::local::stream_protocol::acceptor acceptor_;
  const std::string path_;
  const ControlActions actions_;
  std::set<Client*> clients_;
  bool accepting_ = false;
};

}  // namespace hyperscale::node
