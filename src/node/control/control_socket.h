// ControlSocket: accepts requests of other processes of the same user to a run. Framed requests (wire/frame.h) with the
// methods `status` (answer: one JSON object), `change` (body: plan::LoadRequest; answer: JSON), `stop` (body: name of a
// workflow, empty for all; answer: empty), and those of the run's streams. An unknown method gets an error frame; a
// malformed frame closes the connection.
//
// Thread rule: the thread that runs `io`. The socket file has mode 0600 and is removed by the destructor. At most
// kControlClientsMax clients at once; more wait to be accepted. A client gets one answer per request, in order.
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
  std::function<Status(std::string_view workflow)> stop;  // empty: the whole run
  // Answers once, now or later, on the thread of `io`: JSON of the change, or the reason of the refusal.
  std::function<void(const plan::LoadRequest&, ChangeAnswer)> change = {};
  // Methods of streams; `peer` is the requesting process. Empty: the run has no streams.
  std::function<Result<std::vector<std::uint8_t>>(std::string_view method, ByteView body, pid_t peer)> stream = {};
};

class ControlSocket {
 public:
  // Fails if the folder is not owned by this user or the path is too long for a socket.
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
