// DnsChannel: c-ares with a deadline. Several queries may be pending at once; wait() drives all of them.
//
// Blocking; one thread at a time. The deadline counts from open(); then unanswered queries are cancelled, so every
// callback has been called when wait() returns. Does not throw; failures are Results.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "node/executors/resolver_settings.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ares.h>

namespace hyperscale::node {

class DnsChannel {
 public:
  // kHostsFile: /etc/hosts alone, without a query.
  enum class Sources : std::uint8_t { kHostsFileThenDns, kHostsFile };

  static Result<DnsChannel> open(const ResolverSettings& settings, Sources sources = Sources::kHostsFileThenDns);

  ares_channel get() const { return channel_.get(); }
  Duration elapsed() const;
  // Blocks until callbacks have counted `pending` down to zero. Cancels at the deadline.
  void wait(const int& pending);

 private:
  using Channel = std::unique_ptr<ares_channeldata, decltype(&::ares_destroy)>;
  DnsChannel(Channel channel, MonoTime began, Duration timeout);
  void turn(Duration left);

  Channel channel_;
  MonoTime began_;
  Duration timeout_;
};

// The failure `cannot resolve "host": reason`.
tl::unexpected<Error> unresolved(ErrorCode code, const std::string& host, std::string_view reason);
// The same for a status of c-ares; `lacking` names what an existing name does not have: "address", "IPv6 address".
tl::unexpected<Error> unresolved(int ares_status, const std::string& host, std::string_view lacking);

}  // namespace hyperscale::node
