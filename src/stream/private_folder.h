// Folders that only their owner may enter, opened one component at a time and never through a link (SHM-DRV-10).
//
// Any thread; blocking file calls. A folder that belongs to another user, or that others may enter, is kUnauthorized,
// with the name of its owner: in a shared place such as /dev/shm any user could have created it.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hyperscale::stream {

// The user's name, else the number.
std::string user_name(uid_t user);

// kNotFound when it does not exist.
Result<OwnedFd> open_base_folder(const std::string& path);
Result<OwnedFd> open_private_folder(int parent, const std::string& name);
// Creates it if missing.
Result<OwnedFd> make_private_folder(int parent, const std::string& name);

struct FolderEntry {
  std::string name;
  bool is_own_folder = false;  // a folder of this user, not a link
};
// Without "." and ".."; in the order of their names. Empty when it cannot be read.
std::vector<FolderEntry> entries_of(int folder);
// When an entry was last created or removed in it, on the clock of activities.
std::uint64_t changed_ns(int folder);

}  // namespace hyperscale::stream
