#include "apps/hyperscale/ping/service_ping.h"

#include "apps/hyperscale/ping/service_reply.h"
#include "apps/hyperscale/ping/timed_socket.h"
#include "base/duration_text.h"
#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

using load::EventLoop;

constexpr int kReady = 220;

bool greets(plan::RequestKind kind) {
  return kind == plan::RequestKind::kSmtp || kind == plan::RequestKind::kFtp;
}

std::string place_text(const node::LookedUpEndpoint& endpoint) {
  const auto address = load::SocketAddress::from_literal(endpoint.address, endpoint.port);
  return address ? address->to_string() : endpoint.address;
}

// Connects to the first endpoint that accepts; stores the time in the outcome, or the error of the first attempt.
std::optional<TimedSocket> connect_to_first(const std::vector<node::LookedUpEndpoint>& endpoints, MonoTime deadline,
                                            PingOutcome& outcome) {
  std::string first_reason;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const node::LookedUpEndpoint& endpoint = endpoints[i];
    const MonoTime began = EventLoop::now();
    const auto places_left = static_cast<std::int64_t>(endpoints.size() - i);
    auto socket = TimedSocket::connect(endpoint.address, endpoint.port, began + (deadline - began) / places_left);
    if (socket) {
      outcome.connect = EventLoop::now() - began;
      outcome.endpoint = endpoint;
      return std::move(*socket);
    }
    if (first_reason.empty()) first_reason = fmt::format("{}: {}", place_text(endpoint), socket.error().context);
  }
  outcome.error = fmt::format("cannot connect to {}", first_reason);
  if (endpoints.size() > 1) outcome.error += fmt::format("; nor to {} more", endpoints.size() - 1);
  return std::nullopt;
}

// Reads until the reply is complete or invalid.
Result<ServiceReply::State> read_reply(TimedSocket& socket, ServiceReply& reply, MonoTime deadline) {
  std::array<char, 1024> buffer{};
  for (;;) {
    const auto got = socket.read(buffer, deadline);
    if (!got) return fail(got.error());
    if (*got == 0) return fail(ErrorCode::kProtocol, "the server closed the connection before its greeting was whole");
    const auto state = reply.take({buffer.data(), *got});
    if (state != ServiceReply::State::kIncomplete) return state;
  }
}

std::string reply_error(const ServiceReply& reply, const Result<ServiceReply::State>& state, Duration timeout) {
  if (!state && state.error().code == ErrorCode::kTimeout) {
    return fmt::format("no whole greeting within {}", format_duration(timeout));
  }
  if (!state) return state.error().context;
  if (*state == ServiceReply::State::kTooLong) {
    return fmt::format("the greeting is longer than {} bytes", kServiceReplyBytesMax);
  }
  if (*state == ServiceReply::State::kNoReply) return "the server's first bytes are no greeting of this protocol";
  return reply.code() == kReady ? "" : fmt::format("the server greets with {}, not with {}", reply.code(), kReady);
}

void say_goodbye(TimedSocket& socket) {
  socket.write("QUIT\r\n");
  ServiceReply farewell;
  [[maybe_unused]] const auto ignored = read_reply(socket, farewell, EventLoop::now() + kFarewellTimeout);
}

}  // namespace

PingOutcome ping_once(const Ping& ping) {
  PingOutcome outcome;
  const MonoTime began = EventLoop::now();
  const MonoTime deadline = began + ping.timeout;
  const auto ended = [&] {
    outcome.total = EventLoop::now() - began;
    return outcome;
  };
  const auto found = lookup(ping.kind, ping.host, ping.port, ping.family, ping.resolver);
  if (!found) {
    outcome.error = found.error().context;
    return ended();
  }
  outcome.lookup = found->lookup_time;
  auto socket = connect_to_first(found->endpoints, deadline, outcome);
  if (!socket || !greets(ping.kind)) return ended();
  const MonoTime connected = EventLoop::now();
  ServiceReply reply;
  const auto state = read_reply(*socket, reply, deadline);
  outcome.error = reply_error(reply, state, ping.timeout);
  outcome.greeting_line = reply.first_line();
  const bool is_whole = state && *state == ServiceReply::State::kComplete;
  if (is_whole) outcome.greeting = EventLoop::now() - connected;
  PingOutcome result = ended();
  if (is_whole) say_goodbye(*socket);
  return result;
}

}  // namespace hyperscale::app
