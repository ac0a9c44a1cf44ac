// NamespaceFolder: <base>/tensorpool-<user>/<namespace>/, the folder of one driver.
//
// The driver holds a lock on the file `driver` in it for as long as it lives, however it ends. Leases are in a driver's
// memory only, so a folder whose lock is free has no leases (SHM-GOAL-2), and whoever holds the lock may do what the
// driver could not: collect. The folder itself is locked by drivers alone: that tells a driver, for whom nobody waits,
// from somebody who collects and is done in a moment. The file says whether the driver had meant to leave anything
// behind, and in which pid namespace it ran.
//
// One thread. Any process of the same user may look; other users cannot enter.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "stream/policy/stream_ids.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::stream {

inline constexpr const char* kShmBaseDir = "/dev/shm";
inline constexpr const char* kShmBaseDirVariable = "HYPERSCALE_SHM_BASE_DIR";  // of the environment; names another

// Who this process runs as, as part of a path: the user's name, else the number.
std::string user_folder_name();

struct DriverNote {
  bool cleanup_on_exit = false;
  std::string pid_namespace;
};

// What is done between two tries to get a lock.
using Nap = std::function<void()>;
void nap_a_millisecond();

class NamespaceFolder {
 public:
  // Makes the folders that are missing and takes the lock. kConflict at once when another driver has it; kBusy when
  // somebody else has it for more than 2000 naps.
  static Result<NamespaceFolder> acquire(const std::string& base, const std::string& name, const DriverNote& note,
                                         const Nap& nap = &nap_a_millisecond);
  // One that a driver has left. kConflict when it lives, kNotFound when there is none, kBusy when somebody else has it
  // for more than 20 naps.
  static Result<NamespaceFolder> take_over(const std::string& base, const std::string& name,
                                           const Nap& nap = &nap_a_millisecond);

  Result<OwnedFd> stream_folder(StreamNumber stream) const;
  Result<OwnedFd> make_stream_folder(StreamNumber stream) const;
  // By name; a folder that stands for no stream is passed over.
  std::vector<StreamNumber> streams() const;
  // The folder of a stream, when nothing is in it.
  void remove_empty_stream(StreamNumber stream) const;
  // The folder itself, when no stream is left.
  void remove_if_empty() const;

  const DriverNote& note() const { return note_; }
  const std::string& path() const { return path_; }

 private:
  OwnedFd user_;
  OwnedFd folder_;
  OwnedFd lock_;
  std::string name_;
  std::string path_;
  DriverNote note_;
};

// Namespaces of this user below the base, and whether a driver lives in each.
struct FoundNamespace {
  std::string name;
  bool has_driver = false;
  DriverNote note{};
  std::optional<std::uint64_t> unused_since_ns{};  // on the clock of activities; none: it has streams
};
Result<std::vector<FoundNamespace>> namespaces_in(const std::string& base);
// To look, without any lock.
Result<OwnedFd> open_namespace(const std::string& base, const std::string& name);

}  // namespace hyperscale::stream
