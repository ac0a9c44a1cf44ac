// Facet: admission control of one kind of request. A bounded semaphore that never waits, plus the rules that protect
// other kinds of requests.
//
//   auto permit = facet.try_acquire({.tenant = tenant, .units = width, .deadline = deadline}, now);
//   if (!permit) return fail(permit.error());   // Busy: the facet is full; TooLarge: the request can never be admitted
//   ... work; the permit returns its units when it goes out of scope ...
//
// Thread rule: every method from any thread. One short lock (rank counters) per call; nothing here waits or suspends.
//
// Invariants: grants beyond the cap never happen; every unit granted is returned exactly once, be it by the permit,
// early by release(), or by a drop. Lowering the cap revokes nothing: the facet refuses until enough units are back.
//
// Failure: an answer is Busy (counted in facet_busy_total) or, by the units_max rule, TooLarge. A permit may outlive
// its facet; it then no longer counts anywhere.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/metrics/metrics.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

inline constexpr std::uint32_t kGraphDegreeMax = 256;
// Tenants whose rate a facet tracks; the least recently used one is evicted first.
inline constexpr std::size_t kFacetTenantsMax = 4096;

struct FacetRequest {
  std::string_view tenant = {};
  std::uint32_t units = 1;  // fan-out width, degree, ...; 0 counts as 1
  MonoTime deadline = MonoTime::max();
  // Called at most once, if the work is dropped (FacetRules::drop_overdue), by the thread whose request needed the
  // units and with no lock held. The permit may be gone by then, so the callback owns what it touches.
  std::function<void()> on_dropped = {};
};

enum class PermitCost : std::uint8_t {
  kUnits,  // a request takes as many permits as it has units; one wider than the cap takes the whole cap
  kOne,    // a request takes one permit; units only matter to units_max
};

struct TenantRate {
  std::uint32_t per_s = 100;
  std::uint32_t burst = 200;
  bool operator==(const TenantRate&) const = default;
};

struct FacetRules {
  PermitCost cost = PermitCost::kUnits;
  // More units than this are refused as TooLarge before any permit is checked.
  std::uint32_t units_max = std::numeric_limits<std::uint32_t>::max();
  // When permits run out, grants past their deadline are dropped, oldest first, until there is room.
  bool drop_overdue = false;
  // Token bucket per tenant.
  std::optional<TenantRate> tenant_rate = {};
  // Permits in flight for one tenant; 0 = no limit of its own.
  std::uint32_t tenant_inflight_max = 0;
  bool operator==(const FacetRules&) const = default;
};

struct FacetStatus {
  std::string name;
  std::uint32_t cap = 0;
  std::uint32_t inflight = 0;
  std::uint64_t busy_total = 0;
  std::uint64_t deadline_timeouts_total = 0;
};

// The units of one admitted request. Moves, never copies. Thread rule: one owner; dropped() from any thread.
class [[nodiscard]] FacetPermit {
 public:
  FacetPermit() = default;  // holds nothing
  FacetPermit(FacetPermit&& other) noexcept = default;
  FacetPermit& operator=(FacetPermit&& other) noexcept;
  ~FacetPermit() { release(); }

  // Returns the units before the permit goes out of scope. Calling it again does nothing.
  void release();
  bool held() const { return grant_ != nullptr; }
  // Permits granted; 0 for an empty permit.
  std::uint32_t units() const;
  // The facet revoked the units because the deadline had passed: cancel the work.
  bool dropped() const;

 private:
  friend class Facet;
  struct Core;
  struct Grant;
  FacetPermit(std::shared_ptr<Core> core, std::shared_ptr<Grant> grant);

  std::shared_ptr<Core> core_;
  std::shared_ptr<Grant> grant_;
};

class Facet {
 public:
  // REQUIRES: metrics outlives the facet. `name` is the label of its series.
  Facet(std::string name, std::uint32_t cap, FacetRules rules, Metrics& metrics);
  ~Facet();
  Facet(const Facet&) = delete;
  Facet& operator=(const Facet&) = delete;

  Result<FacetPermit> try_acquire(const FacetRequest& request, MonoTime now);
  // A request of this facet missed its deadline (facet_deadline_timeouts_total).
  void on_deadline_missed();

  void set_cap(std::uint32_t cap);
  // Permits already granted keep the rules they were granted under. A changed tenant rate starts with full buckets.
  void set_rules(FacetRules rules);

  const std::string& name() const { return name_; }
  FacetStatus status() const;

 private:
  std::string name_;
  std::shared_ptr<FacetPermit::Core> core_;
};

}  // namespace hyperscale::runtime
