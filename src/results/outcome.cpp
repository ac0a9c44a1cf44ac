#include "results/outcome.h"

#include "base/check.h"

namespace hyperscale::results {
namespace {

struct Row {
  Outcome outcome;
  std::string_view name;
  std::string_view description;
};

constexpr std::array<Row, kOutcomeCount> kRows{{
    {Outcome::kOk, "ok", "answered as expected"},
    {Outcome::kStatus, "status", "answered with a status that counts as a failure"},
    {Outcome::kBodyMismatch, "body_mismatch", "answered with a body that is not as expected"},
    {Outcome::kConnectTimeout, "connect_timeout", "no connection before the timeout"},
    {Outcome::kTlsTimeout, "tls_timeout", "no TLS handshake before the timeout"},
    {Outcome::kFirstByteTimeout, "first_byte_timeout", "no answer before the timeout"},
    {Outcome::kBodyTimeout, "body_timeout", "answer not complete before the timeout"},
    {Outcome::kRefused, "refused", "connection refused, nobody listens there"},
    {Outcome::kUnreachable, "unreachable", "host or network unreachable"},
    {Outcome::kReset, "reset", "connection reset before the answer was complete"},
    {Outcome::kClosed, "closed", "connection closed before the answer was complete"},
    {Outcome::kTls, "tls", "TLS handshake, certificate or record failure"},
    {Outcome::kProtocol, "protocol", "answer was not valid HTTP"},
    {Outcome::kDns, "dns", "no address is known for the host"},
    {Outcome::kLocal, "local", "this machine ran out of ports, descriptors or memory"},
    {Outcome::kRedirects, "redirects", "a redirect that is not followed: too many, or to another host"},
    {Outcome::kCut, "cut", "still in flight when the run ended"},
    {Outcome::kScript, "script", "the step's function failed"},
    {Outcome::kRedirected, "redirected", "answered with a redirect that was followed"},
    {Outcome::kGraphql, "graphql", "answered with GraphQL errors"},
    {Outcome::kBodyLimit, "body_limit", "no room to keep the body of the answer"},
}};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].outcome) != i || kRows[i].name.empty()) return false;
  }
  return true;
}
static_assert(rows_follow_the_enum());

const Row& row(Outcome outcome) {
  const auto index = static_cast<std::size_t>(outcome);
  CHECK(index < kRows.size(), "outcome {}", index);
  return kRows[index];
}

}  // namespace

std::string_view name(Outcome outcome) {
  return row(outcome).name;
}

std::string_view description(Outcome outcome) {
  return row(outcome).description;
}

}  // namespace hyperscale::results
