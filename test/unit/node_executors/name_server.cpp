#include "name_server.h"

#include <algorithm>
#include <cctype>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kHeaderBytes = 12;
constexpr std::uint8_t kServerFailure = 2;
constexpr std::uint8_t kNoSuchName = 3;

void append_number(Bytes& to, unsigned number) {
  to.push_back(static_cast<std::uint8_t>(number >> 8));
  to.push_back(static_cast<std::uint8_t>(number));
}

void append_name(Bytes& to, std::string_view name) {
  while (!name.empty() && name != ".") {
    const std::string_view label = name.substr(0, name.find('.'));
    to.push_back(static_cast<std::uint8_t>(label.size()));
    to.insert(to.end(), label.begin(), label.end());
    name.remove_prefix(std::min(name.size(), label.size() + 1));
  }
  to.push_back(0);
}

std::string read_name(const Bytes& packet, std::size_t& at) {
  std::string name;
  while (at < packet.size() && packet[at] != 0) {
    if (!name.empty()) name += '.';
    const std::size_t size = packet[at];
    for (std::size_t i = 1; i <= size && at + i < packet.size(); ++i) {
      name += static_cast<char>(std::tolower(packet[at + i]));
    }
    at += size + 1;
  }
  ++at;
  return name;
}

Bytes data_of(const DnsRecord& record) {
  Bytes data;
  switch (record.type) {
    case DnsRecord::Type::kA:
      data.resize(sizeof(in_addr));
      EXPECT_EQ(::inet_pton(AF_INET, record.value.c_str(), data.data()), 1) << record.value;
      break;
    case DnsRecord::Type::kAaaa:
      data.resize(sizeof(in6_addr));
      EXPECT_EQ(::inet_pton(AF_INET6, record.value.c_str(), data.data()), 1) << record.value;
      break;
    case DnsRecord::Type::kMx:
      append_number(data, record.preference);
      [[fallthrough]];
    case DnsRecord::Type::kCname:
      append_name(data, record.value);
  }
  return data;
}

void append_record(Bytes& to, const DnsRecord& record) {
  append_name(to, record.name);
  append_number(to, static_cast<unsigned>(record.type));
  append_number(to, 1);  // class IN
  append_number(to, 0);
  append_number(to, 60);  // seconds to live
  const Bytes data = data_of(record);
  append_number(to, static_cast<unsigned>(data.size()));
  to.insert(to.end(), data.begin(), data.end());
}

}  // namespace

NameServer::NameServer(std::vector<DnsRecord> records, Manner manner)
    : records_(std::move(records)), manner_(manner), socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  if (manner != Manner::kSilent) thread_ = std::thread([this] { serve(); });
}

NameServer::~NameServer() {
  ::shutdown(socket_, SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
  ::close(socket_);
}

ResolverSettings NameServer::settings(Duration timeout) const {
  return {.timeout = timeout, .servers = fmt::format("127.0.0.1:{}", port_)};
}

void NameServer::serve() {
  for (;;) {
    Bytes packet(512);
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const ssize_t got = ::recvfrom(socket_, packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < static_cast<ssize_t>(kHeaderBytes)) return;
    packet.resize(static_cast<std::size_t>(got));
    const Bytes reply = answer(std::move(packet));
    ::sendto(socket_, reply.data(), reply.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }
}

Bytes NameServer::answer(Bytes packet) {
  std::size_t at = kHeaderBytes;
  std::string name = read_name(packet, at);
  if (at + 4 > packet.size()) return packet;
  const auto type = static_cast<DnsRecord::Type>(packet[at] << 8 | packet[at + 1]);
  if (type == DnsRecord::Type::kMx) ++mx_questions_;
  packet.resize(at + 4);
  const bool fails = manner_ == Manner::kFails || (manner_ == Manner::kFailsForMx && type == DnsRecord::Type::kMx);
  std::uint8_t answers = 0;
  bool exists = false;
  // Aliases are followed as a recursive server does: the chain first, then the records at its end.
  for (bool again = !fails; again;) {
    again = false;
    for (const DnsRecord& record : records_) {
      if (record.name != name) continue;
      exists = true;
      if (record.type != type && record.type != DnsRecord::Type::kCname) continue;
      append_record(packet, record);
      ++answers;
      if (record.type != DnsRecord::Type::kCname) continue;
      name = record.value;
      again = true;
      break;
    }
  }
  const std::uint8_t missing = exists ? 0 : kNoSuchName;
  packet[2] |= 0x80;  // an answer
  packet[3] = static_cast<std::uint8_t>(0x80 | (fails ? kServerFailure : missing));
  packet[6] = 0;
  packet[7] = answers;
  std::fill(packet.begin() + 8, packet.begin() + kHeaderBytes, 0);
  return packet;
}

}  // namespace hyperscale::node
