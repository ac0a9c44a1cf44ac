// LeaseTable: leases of producers and consumers on streams: expiry, and the epochs that each may still read.
//
// Single-threaded and pure: the time is passed in. A stream has at most one producer, a client at most one lease per
// stream. An id is never given out twice. A lease references every epoch from the one it last reported up to the
// stream's current one (SHM-DRV-3). Limits: kLeasesMax leases in all.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "stream/policy/stream_ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hyperscale::stream {

inline constexpr std::size_t kLeasesMax = 4096;

enum class Role : std::uint8_t { kProducer = 1, kConsumer = 2 };
enum class LeaseEnd : std::uint8_t { kDetached = 1, kExpired = 2, kRevoked = 3 };

struct Lease {
  LeaseId id;
  StreamNumber stream;
  Role role = Role::kConsumer;
  ClientId client;
  Epoch mapped;  // the last reported one
  MonoTime expires;
};

class LeaseTable {
 public:
  // `first` is the first id; ids count up from it.
  explicit LeaseTable(Duration lease_time, LeaseId first = LeaseId(1)) : lease_time_(lease_time), next_(first) {}

  // kConflict when the stream has a producer already, or the client a lease on it; kBusy above kLeasesMax.
  Result<Lease> grant(StreamNumber stream, Role role, ClientId client, Epoch epoch, MonoTime now);
  // kNotFound: it has ended, or belongs to another client. kInvalidArgument: an epoch before the last reported one.
  Result<Lease> keep_alive(LeaseId id, ClientId client, Epoch mapped, MonoTime now);
  // None when it has ended, or belongs to another client.
  std::optional<Lease> hand_over(LeaseId id, ClientId from, ClientId to);
  std::optional<Lease> end(LeaseId id, ClientId client);
  // Expired leases, removed from the table.
  std::vector<Lease> expire(MonoTime now);
  // All of one client, or all.
  std::vector<Lease> end_all_of(ClientId client);
  std::vector<Lease> end_all();

  const Lease* producer_of(StreamNumber stream) const;
  // The lowest epoch that any lease on the stream may still use.
  std::optional<Epoch> lowest_referenced(StreamNumber stream) const;
  std::vector<Lease> all() const;

 private:
  template <typename Ends>
  std::vector<Lease> take(const Ends& ends);

  Duration lease_time_;
  LeaseId next_;
  std::map<LeaseId, Lease> leases_;
};

}  // namespace hyperscale::stream
