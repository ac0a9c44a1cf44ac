// NamespaceFolder: <base>/tensorpool-<user>/<namespace>/, the folder of one driver.
//
// The driver holds a lock on the file `driver` in it until its process ends. Leases are in a driver's memory only, so a
// folder whose lock is free has no leases (SHM-GOAL-2), and a garbage collector that holds the lock may collect it.
// Only drivers lock the folder itself: this distinguishes a driver, which callers do not wait for, from a collector,
// which holds its lock briefly. The file records whether the driver wanted cleanup at exit, and its pid namespace.
//
// One thread. Any process of the same user may read it; other users cannot enter.
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

// User of this process, as part of a path: the name, else the number.
std::string user_folder_name();

struct DriverNote {
  bool cleanup_on_exit = false;
  std::string pid_namespace;
};

// Called between two attempts to get a lock.
using Nap = std::function<void()>;
void nap_a_millisecond();

class NamespaceFolder {
 public:
  // Creates missing folders and takes the lock. kConflict at once when another driver has it; kBusy when a collector
  // has it for more than 2000 naps.
  static Result<NamespaceFolder> acquire(const std::string& base, const std::string& name, const DriverNote& note,
                                         const Nap& nap = &nap_a_millisecond);
  // A folder whose driver is dead. kConflict when it is alive, kNotFound without a folder, kBusy when a collector has
  // the lock for more than 20 naps.
  static Result<NamespaceFolder> take_over(const std::string& base, const std::string& name,
                                           const Nap& nap = &nap_a_millisecond);

  Result<OwnedFd> stream_folder(StreamNumber stream) const;
  Result<OwnedFd> make_stream_folder(StreamNumber stream) const;
  // By name; folders that are not streams are skipped.
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

// Namespaces of this user below the base, and whether each has a live driver.
struct FoundNamespace {
  std::string name;
  bool has_driver = false;
  DriverNote note{};
  std::optional<std::uint64_t> unused_since_ns{};  // on the clock of activities; none: it has streams
};
Result<std::vector<FoundNamespace>> namespaces_in(const std::string& base);
// For reading, without a lock.
Result<OwnedFd> open_namespace(const std::string& base, const std::string& name);

}  // namespace hyperscale::stream
