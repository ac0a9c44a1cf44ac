#include "wire/certificate_identity.h"

#include "base/check.h"

#include <array>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

constexpr std::string_view kScheme = "hyperscale://";
constexpr std::array kRoles{PeerRole::kClient, PeerRole::kGate, PeerRole::kManager, PeerRole::kWorker};

tl::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::kUnauthorized, std::move(why));
}

bool name_valid(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  if (text.empty() || text.size() > kCertificateNameBytesMax) return false;
  for (const char c : text) {
    if (!plain(c)) return false;
  }
  return true;
}

// The value behind hyperscale://part/. A part that stands there twice could be read two ways, so it counts for nothing.
Result<std::string> the_one(std::span<const std::string> uris, std::string_view part) {
  std::optional<std::string_view> found;
  for (const std::string& uri : uris) {
    std::string_view rest = uri;
    if (!rest.starts_with(kScheme)) continue;
    rest.remove_prefix(kScheme.size());
    if (!rest.starts_with(part) || rest.substr(part.size(), 1) != "/") continue;
    if (found) return refuse(fmt::format("the certificate has more than one URI {}{}/", kScheme, part));
    found = rest.substr(part.size() + 1);
  }
  if (!found) return refuse(fmt::format("the certificate has no URI {}{}/", kScheme, part));
  if (!name_valid(*found)) return refuse(fmt::format("the certificate's URI {}{}/ holds no name", kScheme, part));
  return std::string(*found);
}

Result<PeerRole> parse_role(std::string_view text) {
  for (const PeerRole role : kRoles) {
    if (text == name(role)) return role;
  }
  return refuse("the certificate's role is none of worker, manager, gate, client");
}

Status check_count(std::span<const std::string> uris) {
  if (uris.size() <= kCertificateUrisMax) return {};
  return refuse(fmt::format("the certificate has {} URIs, at most {}", uris.size(), kCertificateUrisMax));
}

Result<CertificateIdentity> of_this_cluster(std::span<const std::string> uris, const CertificateExpectation& expected) {
  if (Status ok = check_count(uris); !ok) return fail(ok.error());
  const Result<std::string> cluster = the_one(uris, "cluster");
  if (!cluster || *cluster != expected.cluster) {
    return refuse(fmt::format("cluster_id mismatch, expected: {}", expected.cluster));
  }
  const Result<std::string> environment = the_one(uris, "env");
  if (!environment || *environment != expected.environment) {
    return refuse(fmt::format("environment_id mismatch, expected: {}", expected.environment));
  }
  return parse_certificate_identity(uris);
}

Status check_roles(PeerRole initiator, PeerRole target) {
  if (may_connect(initiator, target)) return {};
  return refuse(fmt::format("Connection denied: role '{}' cannot connect to '{}'", name(initiator), name(target)));
}

}  // namespace

std::string_view name(PeerRole role) {
  switch (role) {
    case PeerRole::kClient:
      return "client";
    case PeerRole::kGate:
      return "gate";
    case PeerRole::kManager:
      return "manager";
    case PeerRole::kWorker:
      return "worker";
  }
  UNREACHABLE("peer role {}", static_cast<int>(role));
}

Result<CertificateIdentity> parse_certificate_identity(std::span<const std::string> san_uris) {
  if (Status ok = check_count(san_uris); !ok) return fail(ok.error());
  Result<std::string> cluster = the_one(san_uris, "cluster");
  if (!cluster) return fail(cluster.error());
  Result<std::string> environment = the_one(san_uris, "env");
  if (!environment) return fail(environment.error());
  const Result<std::string> role_text = the_one(san_uris, "role");
  if (!role_text) return fail(role_text.error());
  const Result<PeerRole> role = parse_role(*role_text);
  if (!role) return fail(role.error());
  Result<std::string> datacenter = the_one(san_uris, "dc");
  if (!datacenter) return fail(datacenter.error());
  return CertificateIdentity{.role = *role,
                             .cluster = std::move(*cluster),
                             .environment = std::move(*environment),
                             .datacenter = std::move(*datacenter)};
}

bool may_connect(PeerRole initiator, PeerRole target) {
  switch (initiator) {
    case PeerRole::kClient:
      return target == PeerRole::kGate;
    case PeerRole::kGate:
      return target != PeerRole::kWorker;
    case PeerRole::kManager:
      return true;
    case PeerRole::kWorker:
      return target == PeerRole::kManager;
  }
  UNREACHABLE("peer role {}", static_cast<int>(initiator));
}

PeerRole peer_role(NodeRole role) {
  switch (role) {
    case NodeRole::kGate:
      return PeerRole::kGate;
    case NodeRole::kManager:
      return PeerRole::kManager;
    case NodeRole::kWorker:
      return PeerRole::kWorker;
  }
  UNREACHABLE("node role {}", static_cast<int>(role));
}

Result<CertificateIdentity> check_certificate(std::span<const std::string> san_uris,
                                              const CertificateExpectation& expected) {
  Result<CertificateIdentity> initiator = of_this_cluster(san_uris, expected);
  if (!initiator) return initiator;
  if (Status ok = check_roles(initiator->role, expected.own_role); !ok) return fail(ok.error());
  return initiator;
}

Result<CertificateIdentity> check_acceptor_certificate(std::span<const std::string> san_uris,
                                                       const CertificateExpectation& expected) {
  Result<CertificateIdentity> acceptor = of_this_cluster(san_uris, expected);
  if (!acceptor) return acceptor;
  if (Status ok = check_roles(expected.own_role, acceptor->role); !ok) return fail(ok.error());
  return acceptor;
}

}  // namespace hyperscale::wire
