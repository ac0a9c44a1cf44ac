#include "load/protocols/raw/late_sockets.h"

namespace hyperscale::load {

LateSockets::~LateSockets() {
  close_all();
}

void LateSockets::watch(StreamId socket, ExchangeListener& listener, std::uint32_t user) {
  if (watched_.size() >= kLateSocketsMax) {
    close(*watched_.front());
    watched_.pop_front();
  }
  const auto& added = watched_.emplace_back(std::make_unique<Watched>(listener, user));
  added->socket = socket;
  loop_.set_events(socket, *added);
}

void LateSockets::close(const Watched& watched) {
  if (watched.socket) loop_.close(watched.socket);
}

bool LateSockets::close_all() {
  const bool some = !watched_.empty();
  for (const auto& watched : watched_) close(*watched);
  watched_.clear();
  return some;
}

void LateSockets::Watched::on_data(ByteView bytes) {
  listener.late_datagram(user);
  listener.connection_bytes(user, {.sent = 0, .received = bytes.size()});
}

}  // namespace hyperscale::load
