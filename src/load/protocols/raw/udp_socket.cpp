#include "load/protocols/raw/udp_socket.h"

#include "base/check.h"
#include "load/protocols/plain_transport.h"
#include "load/protocols/raw/late_sockets.h"
#include "load/protocols/raw/prepared_raw.h"
#include "load/protocols/raw/raw_client.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

bool is_out_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE;
}

std::string text_of(int error) {
  if (error == ECONNREFUSED) return "nobody listens on that port (ICMP port unreachable)";
  if (error == EMSGSIZE) return "the datagram is too large to be sent";
  return std::generic_category().message(error);
}

}  // namespace

UdpSocket::~UdpSocket() {
  close();
}

void UdpSocket::open(MonoTime now, std::uint32_t address_turn) {
  CHECK(state_ == State::kClosed, "the socket is open already");
  ClientEnvironment& environment = client_.environment();
  const SocketAddress& to = begin_opening(now, address_turn);
  const ConnectOptions options{.source = environment.source_of(client_.number())};
  int error = 0;
  stream_ = environment.loop.open_datagram(to, options, *this, error);
  // Out of descriptors: closes sockets that only wait for late datagrams.
  if (!stream_ && is_out_of_descriptors(error) && client_.late().close_all())
    stream_ = environment.loop.open_datagram(to, options, *this, error);
  if (stream_) {
    state_ = State::kOpen;
    return;
  }
  state_ = State::kClosed;
  client_.connection_failed(*this, outcome_of_errno(error), fmt::format("udp {}: {}", to.to_string(), text_of(error)));
}

void UdpSocket::send(const PreparedRaw& call) {
  sending_ = !client_.environment().loop.send(stream_, as_bytes(call.bytes),
                                              call.lasting ? Sending::kOnce : Sending::kTracked);
}

std::size_t UdpSocket::unsent() const {
  return stream_ ? client_.environment().loop.unsent(stream_) : 0;
}

void UdpSocket::on_data(ByteView bytes) {
  client_.set_moment(client_.environment().loop.data_moment(stream_));
  client_.datagram(*this, bytes);
}

void UdpSocket::on_failed(int error) {
  stream_ = {};
  client_.ended(*this, outcome_of_errno(error), fmt::format("udp {}: {}", address_->to_string(), text_of(error)));
}

void UdpSocket::close() {
  if (stream_) client_.environment().loop.close(std::exchange(stream_, {}));
  sending_ = false;
  state_ = State::kClosed;
}

void UdpSocket::give_up() {
  // A pending send reads bytes that may be freed now: such a socket is closed instead.
  if (stream_ && !sending_) client_.late().watch(std::exchange(stream_, {}), client_.listener(), client_.user());
  close();
}

}  // namespace hyperscale::load
