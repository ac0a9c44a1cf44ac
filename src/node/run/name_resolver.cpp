#include "node/run/name_resolver.h"

#include "load/loop/event_loop.h"
#include "plan/host.h"

#include <algorithm>
#include <array>
#include <memory>

#include <ares.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>

namespace hyperscale::node {
namespace {

using load::EventLoop;

constexpr int kTries = 3;

tl::unexpected<Error> unresolved(ErrorCode code, const std::string& host, std::string_view reason) {
  return fail(code, fmt::format("cannot resolve \"{}\": {}", host, reason));
}

struct Answer {
  bool done = false;
  int status = ARES_SUCCESS;
  std::vector<std::string> addresses;
};

std::string text_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = address->sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
  return ::inet_ntop(address->sa_family, bytes, text.data(), text.size()) == nullptr ? "" : text.data();
}

void on_answer(void* context, int status, int /*timeouts*/, ares_addrinfo* info) {
  auto& answer = *static_cast<Answer*>(context);
  answer.done = true;
  answer.status = status;
  if (info == nullptr) return;
  for (const ares_addrinfo_node* node = info->nodes; node != nullptr; node = node->ai_next) {
    if (node->ai_family != AF_INET && node->ai_family != AF_INET6) continue;
    std::string text = text_of(node->ai_addr);
    if (std::ranges::find(answer.addresses, text) == answer.addresses.end()) {
      answer.addresses.push_back(std::move(text));
    }
  }
  ::ares_freeaddrinfo(info);
}

using Channel = std::unique_ptr<ares_channeldata, decltype(&::ares_destroy)>;

Result<Channel> open_channel(const ResolverSettings& settings) {
  ares_options options{};
  options.timeout = static_cast<int>(std::max<std::int64_t>(settings.timeout / kTries / 1ms, 1));
  options.tries = kTries;
  options.lookups = const_cast<char*>("fb");
  ares_channel channel = nullptr;
  const int status = ::ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS);
  if (status != ARES_SUCCESS) return fail(ErrorCode::kInternal, ::ares_strerror(status));
  Channel owner(channel, &::ares_destroy);
  if (!settings.servers.empty() && ::ares_set_servers_ports_csv(channel, settings.servers.c_str()) != ARES_SUCCESS) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("bad list of name servers: {}", settings.servers));
  }
  return owner;
}

// Waits for the channel's sockets once, and lets it handle what came or what timed out.
void turn(ares_channel channel, Duration left) {
  std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets{};
  const int wanted = ::ares_getsock(channel, sockets.data(), sockets.size());
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
  const timeval* wait = ::ares_timeout(channel, &longest, &until_retry);
  ::poll(polled.data(), polled.size(), static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
  for (const pollfd& socket : polled) {
    const auto ready = [&](short events) { return (socket.revents & events) != 0 ? socket.fd : ARES_SOCKET_BAD; };
    ::ares_process_fd(channel, ready(POLLIN | POLLERR | POLLHUP), ready(POLLOUT));
  }
  ::ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

int native_family(plan::AddressFamily family) {
  if (family == plan::AddressFamily::kIpv4) return AF_INET;
  return family == plan::AddressFamily::kIpv6 ? AF_INET6 : AF_UNSPEC;
}

std::string_view family_name(plan::AddressFamily family) {
  if (family == plan::AddressFamily::kIpv4) return "IPv4 ";
  return family == plan::AddressFamily::kIpv6 ? "IPv6 " : "";
}

Result<ResolvedHost> literal(const std::string& host, plan::AddressFamily family, bool is_ipv4) {
  if (family == (is_ipv4 ? plan::AddressFamily::kIpv6 : plan::AddressFamily::kIpv4)) {
    return unresolved(ErrorCode::kNotFound, host, fmt::format("it is not an {}address", family_name(family)));
  }
  return ResolvedHost{{host}, {}};
}

Result<ResolvedHost> result_of(const std::string& host, plan::AddressFamily family, Answer& answer, Duration took) {
  if (!answer.addresses.empty()) return ResolvedHost{std::move(answer.addresses), took};
  switch (answer.status) {
    case ARES_SUCCESS:
    case ARES_ENODATA:
      return unresolved(ErrorCode::kNotFound, host, fmt::format("the name has no {}address", family_name(family)));
    case ARES_ENOTFOUND:
      return unresolved(ErrorCode::kNotFound, host, "no such host");
    case ARES_ETIMEOUT:
    case ARES_ECANCELLED:
      return unresolved(ErrorCode::kTimeout, host, "no name server answered in time");
    case ARES_ECONNREFUSED:
      return unresolved(ErrorCode::kUnavailable, host, "no name server could be reached");
    default:
      return unresolved(ErrorCode::kUnavailable, host, ::ares_strerror(answer.status));
  }
}

}  // namespace

Result<ResolvedHost> resolve_host(const std::string& host, plan::AddressFamily family,
                                  const ResolverSettings& settings) {
  if (plan::is_ipv4_address(host)) return literal(host, family, true);
  if (plan::is_ipv6_address(host)) return literal(host, family, false);
  const auto channel = open_channel(settings);
  if (!channel) return unresolved(ErrorCode::kInternal, host, channel.error().context);
  Answer answer;
  ares_addrinfo_hints hints{};
  hints.ai_family = native_family(family);
  hints.ai_socktype = SOCK_STREAM;
  const MonoTime began = EventLoop::now();
  const MonoTime deadline = began + settings.timeout;
  ::ares_getaddrinfo(channel->get(), host.c_str(), nullptr, &hints, &on_answer, &answer);
  for (MonoTime now = began; !answer.done; now = EventLoop::now()) {
    if (now >= deadline) {
      ::ares_cancel(channel->get());
    } else {
      turn(channel->get(), deadline - now);
    }
  }
  return result_of(host, family, answer, EventLoop::now() - began);
}

}  // namespace hyperscale::node
