// Keyring: the shared secret of a cluster, and during a rotation the one before it (SEC-2, SEC-3). Messages are sealed
// with the current secret and opened with either.
//
// Workers run user code and are many, so their secret is the likeliest to leak. With a separate secret they can act as
// workers only: gates and managers have both secrets, a worker has only its own.
//
// Thread rule: immutable, any thread may use it. Copies share the secrets, which are locked into memory, left out of
// core dumps and overwritten when the last copy is gone. Nothing here can be printed or formatted, and no error message
// shows any part of a secret.
#pragma once

#include "base/check.h"
#include "base/locked_bytes.h"
#include "base/result.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace hyperscale::wire {

inline constexpr std::size_t kClusterSecretBytesMin = 16;
inline constexpr std::size_t kClusterSecretBytesMax = 4096;

// The holders of a key. A message of one domain never opens in the other, even with the same secret.
enum class KeyDomain : std::uint8_t {
  kGroup,    // gates and managers among themselves
  kWorkers,  // a worker and a manager
};
constexpr KeyDomain domain_between(NodeRole one, NodeRole other) {
  return one == NodeRole::kWorker || other == NodeRole::kWorker ? KeyDomain::kWorkers : KeyDomain::kGroup;
}

class Keyring {
 public:
  // Copies the secrets; the caller wipes its own. Fails with kInvalidArgument when one is too short, too long or weak;
  // the message names which and why.
  static Result<Keyring> make(std::string_view current, std::optional<std::string_view> previous = std::nullopt);

  // The same for the group, and `workers` for messages to and from workers.
  Keyring with_workers(const Keyring& workers) const;
  // The keys of this node in a domain.
  const Keyring& of(KeyDomain domain) const {
    return domain == KeyDomain::kWorkers && workers_ != nullptr ? *workers_ : *this;
  }
  // Whether a worker, which has the secret of its own domain, lacks that of the group.
  bool sets_workers_apart() const { return workers_ != nullptr; }

  bool has_previous() const { return previous_ != nullptr; }

  // Calls `use` with a view of the bytes that is valid only during the call.
  template <typename Use>
  auto with_current(Use&& use) const {
    return std::forward<Use>(use)(current_->view());
  }
  // REQUIRES: has_previous().
  template <typename Use>
  auto with_previous(Use&& use) const {
    CHECK(has_previous(), "there is no secret before this one");
    return std::forward<Use>(use)(previous_->view());
  }

 private:
  Keyring() = default;

  std::shared_ptr<const LockedBytes> current_;
  std::shared_ptr<const LockedBytes> previous_;
  std::shared_ptr<const Keyring> workers_;
};

// Why a text is too weak to be a secret, or nothing: few different characters, a repeated or sequential pattern, or a
// common word. Keyring::make checks the length.
std::optional<std::string_view> weakness_of_secret(std::string_view secret);

}  // namespace hyperscale::wire
