#include "runtime/sandbox/file_rules.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

// The attributes of version 6; the headers of Debian 12 have fewer. An older kernel gets the part that it supports.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

constexpr std::uint64_t kScopes = 3;  // abstract Unix sockets, signals
constexpr int kScopesSince = 6;
constexpr int kNetworkSince = 4;

// All rights that a version knows: each added the next bits.
std::uint64_t all_rights(int version) {
  constexpr std::array<unsigned, 5> kBits = {13, 14, 15, 15, 16};
  const auto index = static_cast<std::size_t>(std::clamp(version, 1, static_cast<int>(kBits.size())) - 1);
  return (std::uint64_t{1} << kBits[index]) - 1;
}

std::size_t size_for(int version) {
  if (version >= kScopesSince) return sizeof(Ruleset);
  return version >= kNetworkSince ? offsetof(Ruleset, scopes) : offsetof(Ruleset, network);
}

tl::unexpected<Error> not_restricted(const char* call) {
  return fail(ErrorCode::kInternal, fmt::format("sandbox: {}: {}", call, errno_text(errno)));
}

Status allow_reading(int rules) {
  const OwnedFd root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return not_restricted("open /");
  landlock_path_beneath_attr everything{};
  everything.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  everything.parent_fd = root.get();
  const long added = ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &everything, 0);
  return added == 0 ? Status() : not_restricted("landlock_add_rule");
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

Result<int> restrict_files(FileRights rights) {
  const int version = landlock_version();
  if (version == 0) return 0;
  Ruleset attributes{.files = all_rights(version)};
  // Once, before there are threads: one that was started earlier would be outside of a later scope, and the script
  // engine sends signals to its own threads.
  if (version >= kScopesSince && rights == FileRights::kRead) attributes.scopes = kScopes;
  const long made = ::syscall(SYS_landlock_create_ruleset, &attributes, size_for(version), 0);
  if (made < 0) return not_restricted("landlock_create_ruleset");
  const OwnedFd rules(static_cast<int>(made));
  Status ready = rights == FileRights::kRead ? allow_reading(rules.get()) : Status();
  if (ready && ::syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0)
    ready = not_restricted("landlock_restrict_self");
  if (!ready) return fail(ready.error());
  return version;
}

}  // namespace hyperscale::runtime
