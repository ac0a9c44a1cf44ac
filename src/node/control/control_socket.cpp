#include "node/control/control_socket.h"

#include "node/control/control_folder.h"
#include "plan/limits.h"
#include "stream/stream_messages.h"
#include "wire/frame_decoder.h"
#include "wire/request_payload.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::node {

using boost::system::error_code;
using Local = asio::local::stream_protocol;

// Lives as long as one of its operations; `owner_` is null once the control socket is gone.
class ControlSocket::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Local::socket socket, ControlSocket& owner) : socket_(std::move(socket)), owner_(&owner) {}

  void read() {
    socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](error_code error, std::size_t bytes) {
      if (error || self->owner_ == nullptr) return self->leave();
      if (!self->take(ByteView(self->chunk_).first(bytes))) return self->leave();
      self->go_on();
    });
  }

  void detach() {
    owner_ = nullptr;
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  void leave() {
    if (owner_ != nullptr) std::exchange(owner_, nullptr)->client_left(*this);
  }

  bool take(ByteView bytes) {
    if (!decoder_.feed(bytes)) return false;
    for (;;) {
      const auto frame = decoder_.next();
      if (!frame) return false;
      if (!*frame) return true;
      serve(**frame);
    }
  }

  void serve(const wire::Frame& frame) {
    if (frame.type != wire::FrameType::kRequest) {
      return say(frame.correlation, fail(ErrorCode::kProtocol, "only requests are answered"));
    }
    const auto request = wire::parse_request(frame.payload);
    if (!request) return say(frame.correlation, fail(request.error()));
    if (request->method_name() == "change") return change(*request, frame.correlation);
    say(frame.correlation, answer(*request));
  }

  Result<SharedBytes> answer(const wire::RequestPayload& request) {
    const ControlActions& actions = owner_->actions_;
    if (request.method_name() == "status") return SharedBytes::adopt(actions.status());
    if (request.method_name() == "stop") {
      if (Status stopped = actions.stop(request.body.text()); !stopped) return fail(stopped.error());
      return SharedBytes();
    }
    if (!actions.stream || !request.method_name().starts_with(stream::kMethodPrefix)) {
      return fail(ErrorCode::kNotFound, "a run answers to status, change and stop");
    }
    const auto peer = peer_process();
    if (!peer) return fail(peer.error());
    auto told = actions.stream(request.method_name(), request.body.view(), *peer);
    if (!told) return fail(told.error());
    return SharedBytes::adopt(std::move(*told));
  }

  void change(const wire::RequestPayload& request, std::uint64_t correlation) {
    const auto asked = plan::decode_load_request(request.body.text());
    if (!asked) return say(correlation, fail(asked.error()));
    ++unanswered_;
    owner_->actions_.change(*asked, [self = shared_from_this(), correlation](Result<std::string> said) {
      --self->unanswered_;
      self->say(correlation, said ? Result<SharedBytes>(SharedBytes::adopt(std::move(*said))) : fail(said.error()));
      self->go_on();
    });
  }

  void say(std::uint64_t correlation, Result<SharedBytes> said) {
    wire::Frame out;
    out.type = wire::FrameType::kResponse;
    out.correlation = correlation;
    if (said) out.payload = std::move(*said);
    const auto bytes = wire::encode_frame(said ? out : wire::error_frame(correlation, said.error()));
    answers_.insert(answers_.end(), bytes.begin(), bytes.end());
  }

  // The peer's pid, from SO_PEERCRED; refuses another user independently of the file mode.
  Result<pid_t> peer_process() {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket_.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
      return fail(ErrorCode::kUnauthorized, "it cannot be told who asks");
    if (peer.uid != ::geteuid()) return fail(ErrorCode::kUnauthorized, "streams are for the user of the run only");
    return peer.pid;
  }

  // Writes pending answers; reads the next request once all are answered.
  void go_on() {
    if (owner_ == nullptr || !writing_.empty() || unanswered_ > 0) return;
    if (answers_.empty()) return read();
    writing_ = std::exchange(answers_, {});
    asio::async_write(socket_, asio::buffer(writing_), [self = shared_from_this()](error_code error, std::size_t) {
      self->writing_.clear();
      if (error || self->owner_ == nullptr) return self->leave();
      self->go_on();
    });
  }

  Local::socket socket_;
  ControlSocket* owner_;
  wire::FrameDecoder decoder_{wire::FrameLimits{kControlFrameBytesMax}};
  std::array<std::uint8_t, 1024> chunk_{};
  std::vector<std::uint8_t> answers_;
  std::vector<std::uint8_t> writing_;
  std::size_t unanswered_ = 0;
};

Result<std::unique_ptr<ControlSocket>> ControlSocket::listen(asio::io_context& io, const std::string& folder,
                                                             const std::string& run_id, ControlActions actions) {
  if (Status opened = open_control_folder(folder); !opened) return fail(opened.error());
  const std::string path = control_socket_path(folder, run_id);
  if (path.size() > plan::kSocketPathBytesMax) {
    return fail(ErrorCode::kUnavailable, fmt::format("{} is too long for a socket", path));
  }
  remove_dead_sockets(folder);
  std::unique_ptr<ControlSocket> socket(new ControlSocket(io, path, std::move(actions)));
  const std::string unnamed = new_control_socket_path(folder, run_id);
  error_code error;
  socket->acceptor_.open(Local(), error);
  // bind() creates the file with the mode that the umask leaves, so other users can never connect.
  const mode_t mask = ::umask(0177);
  if (!error) socket->acceptor_.bind(Local::endpoint(unnamed), error);
  ::umask(mask);
  if (!error) socket->acceptor_.listen(asio::socket_base::max_listen_connections, error);
  // Renamed only once it listens: other processes remove named sockets on which no process listens.
  if (!error && ::rename(unnamed.c_str(), path.c_str()) != 0) error.assign(errno, boost::system::system_category());
  if (error) {
    ::unlink(unnamed.c_str());
    return fail(ErrorCode::kUnavailable, fmt::format("cannot listen at {}: {}", path, error.message()));
  }
  socket->accept();
  return socket;
}

ControlSocket::ControlSocket(asio::io_context& io, std::string path, ControlActions actions)
    : acceptor_(io), path_(std::move(path)), actions_(std::move(actions)) {}

ControlSocket::~ControlSocket() {
  for (Client* client : clients_) client->detach();
  if (acceptor_.is_open()) ::unlink(path_.c_str());
}

void ControlSocket::accept() {
  if (accepting_ || clients_.size() >= kControlClientsMax) return;
  accepting_ = true;
  acceptor_.async_accept([this](error_code error, Local::socket socket) {
    // Only the destructor cancels, so `this` is no longer valid.
    if (error == asio::error::operation_aborted) return;
    accepting_ = false;
    if (!error) {
      const auto client = std::make_shared<Client>(std::move(socket), *this);
      clients_.insert(client.get());
      client->read();
    }
    accept();
  });
}

void ControlSocket::client_left(Client& client) {
  clients_.erase(&client);
  accept();
}

}  // namespace hyperscale::node
