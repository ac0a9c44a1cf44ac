#include "node/cluster/peer_security.h"

#include "runtime/tls/peer_tls.h"

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

tl::unexpected<Error> wrong(std::string_view key, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", key, why));
}

// Checked here because other nodes refuse a wrong certificate without giving the reason.
Status check_own_certificate(boost::asio::ssl::context& context, const wire::CertificateExpectation& expected) {
  const auto own = wire::parse_certificate_identity(runtime::own_uris(context));
  if (!own) return wrong("cluster.tls_cert_file", own.error().context);
  if (own->cluster != expected.cluster)
    return wrong("cluster.tls_cert_file", fmt::format("cluster_id mismatch, expected: {}", expected.cluster));
  if (own->environment != expected.environment)
    return wrong("cluster.tls_cert_file", fmt::format("environment_id mismatch, expected: {}", expected.environment));
  if (own->role != expected.own_role)
    return wrong("cluster.tls_cert_file", fmt::format("the certificate is of a {} and this node is a {}",
                                                      name(own->role), name(expected.own_role)));
  return {};
}

}  // namespace

Result<PeerSecurity> peer_security(const runtime::NodeConfig& config) {
  const runtime::NodeConfig::Cluster& told = config.cluster;
  const auto role = wire::parse_node_role(told.role);
  if (!role) return wrong("cluster.role", role.error().context);
  PeerSecurity security{
      .verify_hostname = told.tls_verify_hostname,
      .expected = {.cluster = told.name, .environment = told.environment, .own_role = wire::peer_role(*role)}};
  if (told.tls_cert_file.empty()) return security;
  const runtime::PeerTlsFiles files{
      .cert_file = told.tls_cert_file, .key_file = told.tls_key_file, .ca_file = told.tls_ca_file};
  auto acceptor = runtime::make_acceptor_tls_context(files);
  if (!acceptor) return wrong("[cluster]", acceptor.error().context);
  auto initiator = runtime::make_initiator_tls_context(files);
  if (!initiator) return wrong("[cluster]", initiator.error().context);
  if (Status own = check_own_certificate(**acceptor, security.expected); !own) return fail(own.error());
  security.acceptor = std::move(*acceptor);
  security.initiator = std::move(*initiator);
  return security;
}

void RefusalLog::refused(const std::string& source, const std::string& why) {
  {
    const concurrent::RankedLock lock(mutex_);
    if (logged_.size() >= kRefusalsRememberedMax || !logged_.emplace(source, why).second) return;
  }
  log_.warn("transport", "turned away {}: {}", source, why);
}

runtime::PeerGuard acceptor_guard(const PeerSecurity& security, std::shared_ptr<RefusalLog> refusals) {
  return {.tls = security.acceptor,
          .check = [expected = security.expected](std::span<const std::string> uris) -> Status {
            const auto identity = wire::check_certificate(uris, expected);
            if (!identity) return fail(identity.error());
            return {};
          },
          .on_refused = [refusals = std::move(refusals)](const std::string& source,
                                                         const std::string& why) { refusals->refused(source, why); }};
}

runtime::PeerGuard initiator_guard(const PeerSecurity& security, wire::NodeRole dialled) {
  return {.tls = security.initiator,
          .check = [expected = security.expected, dialled](std::span<const std::string> uris) -> Status {
            const auto identity = wire::check_acceptor_certificate(uris, expected);
            if (!identity) return fail(identity.error());
            if (identity->role == wire::peer_role(dialled)) return {};
            return fail(ErrorCode::kUnauthorized, fmt::format("the certificate is of a {} where a {} was expected",
                                                              name(identity->role), wire::name(dialled)));
          },
          .on_refused = nullptr};
}

}  // namespace hyperscale::node
