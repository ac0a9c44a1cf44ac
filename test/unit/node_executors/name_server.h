// NameServer: a DNS server on loopback for tests. It answers over UDP from a table of records, says nothing, or fails.
//
// Its thread ends with it. A name without any record does not exist; one with records of other types has no data.
#pragma once

#include "node/executors/resolver_settings.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace hyperscale::node {

struct DnsRecord {
  enum class Type : std::uint16_t { kA = 1, kCname = 5, kMx = 15, kAaaa = 28 };

  std::string name;  // "mx.example", lower case
  Type type = Type::kA;
  std::string value;  // an address, or a name; "." is the root
  std::uint16_t preference = 0;
};

class NameServer {
 public:
  enum class Manner : std::uint8_t { kAnswers, kSilent, kFails, kFailsForMx };

  explicit NameServer(std::vector<DnsRecord> records, Manner manner = Manner::kAnswers);
  explicit NameServer(Manner manner) : NameServer({}, manner) {}
  ~NameServer();
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  ResolverSettings settings(Duration timeout = 5s) const;
  int mx_questions() const { return mx_questions_; }

 private:
  void serve();
  std::vector<std::uint8_t> answer(std::vector<std::uint8_t> question);

  std::vector<DnsRecord> records_;
  Manner manner_;
  int socket_;
  std::uint16_t port_ = 0;
  std::atomic<int> mx_questions_{0};
  std::thread thread_;
};

}  // namespace hyperscale::node
