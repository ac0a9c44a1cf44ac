#include "node/executors/dns_channel.h"

#include "load/loop/event_loop.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <poll.h>

namespace hyperscale::node {
namespace {

using load::EventLoop;

constexpr int kTries = 3;

}  // namespace

DnsChannel::DnsChannel(Channel channel, MonoTime began, Duration timeout)
    : channel_(std::move(channel)), began_(began), timeout_(timeout) {}

Result<DnsChannel> DnsChannel::open(const ResolverSettings& settings, Sources sources) {
  ares_options options{};
  options.timeout = static_cast<int>(std::max<std::int64_t>(settings.timeout / kTries / 1ms, 1));
  options.tries = kTries;
  options.lookups = const_cast<char*>(sources == Sources::kHostsFile ? "f" : "fb");
  const MonoTime began = EventLoop::now();
  ares_channel channel = nullptr;
  const int status = ::ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS);
  if (status != ARES_SUCCESS) return fail(ErrorCode::kInternal, ::ares_strerror(status));
  DnsChannel owner(Channel(channel, &::ares_destroy), began, settings.timeout);
  if (!settings.servers.empty() && ::ares_set_servers_ports_csv(channel, settings.servers.c_str()) != ARES_SUCCESS) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("bad list of name servers: {}", settings.servers));
  }
  return owner;
}

Duration DnsChannel::elapsed() const {
  return EventLoop::now() - began_;
}

void DnsChannel::wait(const int& pending) {
  const MonoTime deadline = began_ + timeout_;
  while (pending > 0) {
    const MonoTime now = EventLoop::now();
    if (now >= deadline) {
      ::ares_cancel(get());
    } else {
      turn(deadline - now);
    }
  }
}

// Polls the channel's sockets once and processes answers and timeouts.
void DnsChannel::turn(Duration left) {
  std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets{};
  const int wanted = ::ares_getsock(get(), sockets.data(), sockets.size());
  std::vector<pollfd> polled;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    const bool reads = ARES_GETSOCK_READABLE(wanted, i) != 0;
    const bool writes = ARES_GETSOCK_WRITABLE(wanted, i) != 0;
    if (reads || writes) {
      polled.push_back({sockets[i], static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0});
    }
  }
  timeval longest{.tv_sec = left / 1s, .tv_usec = (left % 1s) / 1us};
  timeval until_retry{};
  const timeval* wait = ::ares_timeout(get(), &longest, &until_retry);
  ::poll(polled.data(), polled.size(), static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
  for (const pollfd& socket : polled) {
    const auto ready = [&](short events) { return (socket.revents & events) != 0 ? socket.fd : ARES_SOCKET_BAD; };
    ::ares_process_fd(get(), ready(POLLIN | POLLERR | POLLHUP), ready(POLLOUT));
  }
  ::ares_process_fd(get(), ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

tl::unexpected<Error> unresolved(ErrorCode code, const std::string& host, std::string_view reason) {
  return fail(code, fmt::format("cannot resolve \"{}\": {}", host, reason));
}

tl::unexpected<Error> unresolved(int ares_status, const std::string& host, std::string_view lacking) {
  switch (ares_status) {
    case ARES_SUCCESS:
    case ARES_ENODATA:
      return unresolved(ErrorCode::kNotFound, host, fmt::format("the name has no {}", lacking));
    case ARES_ENOTFOUND:
      return unresolved(ErrorCode::kNotFound, host, "no such host");
    case ARES_ETIMEOUT:
    case ARES_ECANCELLED:
      return unresolved(ErrorCode::kTimeout, host, "no name server answered in time");
    // c-ares also reports this if every server answered SERVFAIL or REFUSED.
    case ARES_ECONNREFUSED:
      return unresolved(ErrorCode::kUnavailable, host, "no name server could be reached, or all of them failed");
    default:
      return unresolved(ErrorCode::kUnavailable, host, ::ares_strerror(ares_status));
  }
}

}  // namespace hyperscale::node
