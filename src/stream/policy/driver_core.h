// DriverCore: decisions of the driver that owns the shared memory of a namespace: leases, epochs, garbage collection.
// It follows base/core.h; the adapter (stream/driver.h) handles files and processes.
//
// Time is CLOCK_BOOTTIME, because it is compared with times in files that other processes wrote. One thread.
//
// Epochs of a stream count up by one from above the highest on disk. A producer that attaches gets regions of a new
// epoch. When its lease ends the epoch is disowned, and the next number becomes current without regions, so that
// consumers learn that theirs has ended; the next producer gets that number. Order of a change: regions, notices that
// leases have ended, announcement, collection.
//
// A number whose name is taken on disk is skipped; after kEpochsSkippedMax of them the attach is refused.
//
// When memory for regions is short: collect once, retry once, then answer kInternalError (SHM-ALLOC-1).
#pragma once

#include "base/core.h"
#include "stream/policy/driver_policies.h"
#include "stream/policy/gc_policy.h"
#include "stream/policy/lease_table.h"
#include "stream/policy/region_layout.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::stream {

inline constexpr int kEpochsSkippedMax = 64;

enum class ResponseCode : std::uint8_t { kOk = 0, kUnsupported, kInvalidParams, kRejected, kInternalError };

struct Client {
  ClientId id;  // its pid; zero: in another pid namespace
  std::uint64_t started_ns = 0;
};

// --- what happens
struct FoundStream {
  StreamNumber stream;
  Epoch highest;
};
struct Started {
  std::vector<FoundStream> on_disk;
};
struct AttachAsked {
  std::uint64_t correlation = 0;
  StreamNumber stream;
  Role role = Role::kConsumer;
  Client client;
  std::uint32_t layout_version = kLayoutVersion;
  RegionLayout layout;  // of a producer
};
struct KeptAlive {
  std::uint64_t correlation = 0;
  LeaseId lease;
  ClientId client;
  Epoch mapped;
};
struct DetachAsked {
  std::uint64_t correlation = 0;
  LeaseId lease;
  ClientId client;
};
// A lease passes to another process: the requester has started the process that will hold it.
struct HandedOver {
  LeaseId lease;
  ClientId from;
  Client to;
};
struct ClientGone {
  ClientId client;
};
struct RevokeAsked {  // by the driver's owner
  StreamNumber stream;
};
struct Provisioned {
  StreamNumber stream;
  Epoch epoch;
  enum class How : std::uint8_t { kDone, kNoRoom, kTaken, kFailed } how = How::kDone;  // kTaken: the name of the epoch
  std::string why;
};
struct Scanned {
  StreamNumber stream;
  std::vector<EpochFacts> found;
};
struct Ticked {};
struct StopAsked {};

// --- what is to be done
struct Provision {
  StreamNumber stream;
  Epoch epoch;
  Client owner;
  RegionLayout layout;
};
struct Answer {
  std::uint64_t correlation = 0;
  ResponseCode code = ResponseCode::kOk;
  LeaseId lease{};
  MonoTime expires{};
  StreamNumber stream{};
  Epoch epoch{};  // current
  bool has_regions = false;
  std::string text{};  // why not
};
struct Own {  // pid word and start time of its regions
  StreamNumber stream;
  Epoch epoch;
  Client owner;
};
struct Disown {  // the pid word of its regions becomes zero
  StreamNumber stream;
  Epoch epoch;
};
struct LeaseEnded {
  Lease lease;
  LeaseEnd how = LeaseEnd::kDetached;
};
struct Announce {
  StreamNumber stream;
  Epoch epoch;
  bool has_regions = false;
};
struct Refresh {  // the activity time of its regions becomes now
  StreamNumber stream;
  Epoch epoch;
};
struct Scan {  // to be answered by Scanned
  StreamNumber stream;
};
struct Remove {
  StreamNumber stream;
  Epoch epoch;
};
struct RemoveNamespace {};

struct DriverCounters {
  std::uint64_t epoch_gc_runs = 0;
  std::uint64_t epoch_gc_removed = 0;
  std::array<std::uint64_t, kKeptForCount> epoch_gc_skipped{};  // by KeptFor
  std::uint64_t epochs_on_disk = 0;                             // as of the last scan of each stream
  std::uint64_t leases_granted = 0;
  std::array<std::uint64_t, 4> leases_ended{};  // by LeaseEnd
  std::uint64_t attaches_refused = 0;
  std::uint64_t announces = 0;
};

struct StreamState {
  Epoch current{};  // zero: none yet
  bool has_regions = false;
  bool vacant = false;  // current is a number only: it has never had a directory
};

class DriverCore {
 public:
  using Event = std::variant<Started, AttachAsked, KeptAlive, DetachAsked, HandedOver, ClientGone, RevokeAsked,
                             Provisioned, Scanned, Ticked, StopAsked>;
  using Action =
      std::variant<Provision, Answer, Own, Disown, LeaseEnded, Announce, Refresh, Scan, Remove, RemoveNamespace>;

  explicit DriverCore(const DriverPolicies& policies, LeaseId first_lease = LeaseId(1))
      : policies_(policies), leases_(policies.lease_time(), first_lease) {}

  Actions<Action> step(const Event& event, MonoTime now);

  const DriverCounters& counters() const { return counters_; }
  const std::map<StreamNumber, StreamState>& streams() const { return streams_; }
  std::vector<Lease> leases() const { return leases_.all(); }

 private:
  using Out = Actions<Action>;
  // A producer waiting for its regions.
  struct Pending {
    AttachAsked asked;
    Epoch epoch;
    int skipped = 0;  // numbers whose names were taken
    bool retried = false;
    std::size_t scans_left = 0;  // of the collection before the second try
  };

  void handle(const Started& event, MonoTime now, Out& out);
  void handle(const AttachAsked& event, MonoTime now, Out& out);
  void handle(const KeptAlive& event, MonoTime now, Out& out);
  void handle(const DetachAsked& event, MonoTime now, Out& out);
  void handle(const HandedOver& event, MonoTime now, Out& out);
  void handle(const ClientGone& event, MonoTime now, Out& out);
  void handle(const RevokeAsked& event, MonoTime now, Out& out);
  void handle(const Provisioned& event, MonoTime now, Out& out);
  void handle(const Scanned& event, MonoTime now, Out& out);
  void handle(const Ticked& event, MonoTime now, Out& out);
  void handle(const StopAsked& event, MonoTime now, Out& out);

  void refuse(std::uint64_t correlation, ResponseCode code, std::string text, Out& out);
  void attach_consumer(const AttachAsked& asked, MonoTime now, Out& out);
  void attach_producer(const AttachAsked& asked, Out& out);
  void grant(const AttachAsked& asked, MonoTime now, Out& out);
  void ended(const Lease& lease, LeaseEnd how, Out& out);
  void announce(StreamNumber stream, Out& out);
  void collect(StreamNumber stream, Out& out);
  void collect_all(Out& out);
  Pending* short_of_space();

  const DriverPolicies policies_;
  LeaseTable leases_;
  std::map<StreamNumber, StreamState> streams_;
  std::map<StreamNumber, Pending> pending_;
  std::map<StreamNumber, std::uint64_t> on_disk_;
  DriverCounters counters_;
  MonoTime announced_;
  MonoTime collected_;
  bool stopped_ = false;
};

static_assert(Core<DriverCore>);

}  // namespace hyperscale::stream
