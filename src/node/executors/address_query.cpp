#include "node/executors/address_query.h"

#include <algorithm>
#include <array>

#include <arpa/inet.h>

namespace hyperscale::node {
namespace {

struct Query {
  int& pending;
  AddressAnswer answer;
};

std::string text_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = address->sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
  return ::inet_ntop(address->sa_family, bytes, text.data(), text.size()) == nullptr ? "" : text.data();
}

void on_answer(void* context, int status, int /*timeouts*/, ares_addrinfo* info) {
  auto& query = *static_cast<Query*>(context);
  --query.pending;
  query.answer.ares_status = status;
  if (info == nullptr) return;
  std::vector<std::string>& addresses = query.answer.addresses;
  for (const ares_addrinfo_node* node = info->nodes; node != nullptr; node = node->ai_next) {
    if (node->ai_family != AF_INET && node->ai_family != AF_INET6) continue;
    std::string text = text_of(node->ai_addr);
    if (std::ranges::find(addresses, text) == addresses.end()) addresses.push_back(std::move(text));
  }
  ::ares_freeaddrinfo(info);
}

int native_family(plan::AddressFamily family) {
  if (family == plan::AddressFamily::kIpv4) return AF_INET;
  return family == plan::AddressFamily::kIpv6 ? AF_INET6 : AF_UNSPEC;
}

}  // namespace

std::vector<AddressAnswer> query_addresses(DnsChannel& channel, std::span<const std::string> hosts,
                                           plan::AddressFamily family) {
  ares_addrinfo_hints hints{};
  hints.ai_family = native_family(family);
  hints.ai_socktype = SOCK_STREAM;
  int pending = static_cast<int>(hosts.size());
  std::vector<Query> queries(hosts.size(), Query{pending, {}});
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    ::ares_getaddrinfo(channel.get(), hosts[i].c_str(), nullptr, &hints, &on_answer, &queries[i]);
  }
  channel.wait(pending);
  std::vector<AddressAnswer> answers;
  answers.reserve(queries.size());
  for (Query& query : queries) answers.push_back(std::move(query.answer));
  return answers;
}

}  // namespace hyperscale::node
