// Driver: owns the shared memory of one namespace. Only it creates, announces and removes regions (SHM-AUTH-1).
// DriverCore decides; this is the adapter: files, processes, the clock.
//
// Thread rule: one thread. Call tick() about four times per keepalive interval or announce period, whichever is
// shorter. Calls block for file operations on memory. The destructor ends all leases and, with `cleanup_shm_on_exit`,
// removes the namespace; after a crash the namespace stays until collect_abandoned() of another driver finds its owners
// dead and its epochs old.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "stream/epoch_folder.h"
#include "stream/namespace_folder.h"
#include "stream/policy/driver_core.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::stream {

MonoTime boot_now();

struct DriverSetup {
  std::string shm_base_dir = kShmBaseDir;
  std::string name_space = "default";
  DriverPolicies policies = {};
  std::function<MonoTime()> clock = &boot_now;
};

// Grant of a producer; the driver keeps the regions, too.
struct ProducerGrant {
  LeaseId lease;
  Epoch epoch;
  // For the producer's process: header ring, pool and counters.
  std::array<int, 3> descriptors{};
  std::shared_ptr<EpochRegions> regions;
};

// Grant of a consumer, also the answer to a keepalive.
struct ConsumerGrant {
  LeaseId lease;
  Epoch epoch;
  bool has_regions = false;
  Duration lease_left{};
  std::string folder;  // absolute path of the epoch
};

struct StreamReport {
  StreamNumber stream;
  Epoch current;
  bool has_regions = false;
};

class Driver {
 public:
  // kConflict when the namespace has a driver, kUnauthorized when the folder is not this user's alone, kInvalidArgument
  // for a base whose path is too long for the messages that name folders in it.
  static Result<std::unique_ptr<Driver>> start(DriverSetup setup);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // `pid` is the producer's process. kConflict: the stream has one; kInternal: no room, with the bytes, or a failure.
  Result<ProducerGrant> attach_producer(StreamNumber stream, std::uint64_t pid, const RegionLayout& layout);
  Result<ConsumerGrant> attach_consumer(StreamNumber stream, std::uint64_t pid);
  Result<ConsumerGrant> keep_alive(LeaseId lease, std::uint64_t pid, Epoch mapped);
  Status detach(LeaseId lease, std::uint64_t pid);
  // The lease is that process's from now on, and the regions are its own.
  void hand_over(LeaseId lease, std::uint64_t from_pid, std::uint64_t to_pid);
  // That process has ended: its leases end with it.
  void client_gone(std::uint64_t pid);
  void revoke_producer(StreamNumber stream);
  void tick();

  const DriverCounters& counters() const { return core_.counters(); }
  std::vector<Lease> leases() const { return core_.leases(); }
  std::vector<StreamReport> streams() const;
  const DriverPolicies& policies() const { return setup_.policies; }
  const std::string& path() const { return folder_.path(); }
  MonoTime now() const { return setup_.clock(); }
  // Notices of ended leases, the newest last; the caller takes them. Untaken ones: the newest are kept.
  std::vector<LeaseEnded> take_notices() { return std::exchange(notices_, {}); }
  // Log lines: what was collected, what could not be removed. As for notices, the newest 1024 are kept.
  std::vector<std::string> take_log() { return std::exchange(log_, {}); }

 private:
  Driver(DriverSetup setup, NamespaceFolder folder);
  void feed(const DriverCore::Event& event);
  Result<Answer> ask(const DriverCore::Event& event);
  Result<ConsumerGrant> grant_of(const Result<Answer>& answer) const;
  std::uint64_t now_ns() const { return static_cast<std::uint64_t>(now().ns()); }

  void carry_out(const Provision& action);
  void carry_out(const Answer& action) { answer_ = action; }
  void carry_out(const Own& action);
  void carry_out(const Disown& action);
  void carry_out(const LeaseEnded& action);
  void carry_out(const Announce&) {}
  void carry_out(const Refresh& action);
  void carry_out(const Scan& action);
  void carry_out(const Remove& action);
  void carry_out(const RemoveNamespace& action);

  const DriverSetup setup_;
  NamespaceFolder folder_;
  DriverCore core_;
  std::deque<DriverCore::Action> actions_;
  std::optional<Answer> answer_;
  std::map<StreamNumber, std::shared_ptr<EpochRegions>> regions_;  // of current epochs
  std::vector<LeaseEnded> notices_;                                // this and the next: at most kNoticesMax
  std::vector<std::string> log_;
};

// Code and sentence of an answer that is a refusal.
Error error_of(const Answer& answer);

}  // namespace hyperscale::stream
