#include "runtime/facet/facet.h"

#include "base/check.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/policy/keyed_rate_limiter.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <utility>
#include <vector>

namespace hyperscale::runtime {

using concurrent::LockRank;
using concurrent::RankedLock;

struct FacetPermit::Grant {
  using Overdue = std::list<std::shared_ptr<Grant>>;

  std::uint32_t permits = 0;
  MonoTime deadline;
  std::function<void()> on_dropped;
  std::atomic<bool> dropped = false;
  // The rest belongs to the lock of the core.
  bool returned = false;
  std::optional<Overdue::iterator> place;                                             // while it may be dropped
  std::optional<std::map<std::string, std::uint32_t, std::less<>>::iterator> tenant;  // while its tenant is counted
};

// What a facet and its permits share, so that a permit may outlive the facet. Methods ending in _locked need `mutex`.
struct FacetPermit::Core {
  using Dropped = std::vector<std::shared_ptr<Grant>>;

  Core(std::string facet_name, std::uint32_t facet_cap, FacetRules facet_rules, Metrics& facet_metrics)
      : name(std::move(facet_name)), metrics(&facet_metrics), cap(facet_cap) {
    use_rules_locked(facet_rules);
    show_inflight_locked();
  }

  void use_rules_locked(const FacetRules& next) {
    if (!next.tenant_rate)
      limiter.reset();
    else if (next.tenant_rate != rules.tenant_rate)
      limiter.emplace(next.tenant_rate->per_s, std::max(next.tenant_rate->burst, 1U), kFacetTenantsMax);
    rules = next;
  }

  // The gauge is set under the lock, or two threads could leave the older value behind.
  void show_inflight_locked() {
    if (metrics != nullptr) metrics->set(Gauge::kSemaphoreInflight, name, inflight);
  }

  bool has_room_locked(std::uint32_t permits) const { return inflight <= cap && permits <= cap - inflight; }

  void give_back_locked(Grant& grant) {
    if (std::exchange(grant.returned, true)) return;
    CHECK(grant.permits <= inflight, "facet {} got back {} of {} permits", name, grant.permits, inflight);
    inflight -= grant.permits;
    if (grant.place) droppable.erase(*grant.place);
    if (grant.tenant && --(*grant.tenant)->second == 0) tenants.erase(*grant.tenant);
    show_inflight_locked();
  }

  void drop_overdue_locked(std::uint32_t permits, MonoTime now, Dropped& dropped) {
    for (auto next = droppable.begin(); next != droppable.end() && !has_room_locked(permits);) {
      const std::shared_ptr<Grant> grant = *next++;
      if (grant->deadline > now) continue;
      grant->dropped = true;
      give_back_locked(*grant);
      count_deadline_locked();
      dropped.push_back(grant);
    }
  }

  void count_deadline_locked() {
    ++deadline_timeouts_total;
    if (metrics != nullptr) metrics->add(Counter::kFacetDeadlineTimeouts, name);
  }

  tl::unexpected<Error> busy_locked(std::string context) {
    ++busy_total;
    if (metrics != nullptr) metrics->add(Counter::kFacetBusy, name);
    return fail(ErrorCode::kBusy, std::move(context));
  }

  std::uint32_t permits_for_locked(std::uint32_t units) const {
    if (rules.cost == PermitCost::kOne) return 1;
    return std::clamp(units, 1U, std::max(cap, 1U));
  }

  bool tenant_is_full_locked(std::string_view tenant) const {
    if (rules.tenant_inflight_max == 0) return false;
    const auto found = tenants.find(tenant);
    return found != tenants.end() && found->second >= rules.tenant_inflight_max;
  }

  std::shared_ptr<Grant> grant_locked(const FacetRequest& request, std::uint32_t permits) {
    auto grant = std::make_shared<Grant>();
    grant->permits = permits;
    grant->deadline = request.deadline;
    if (rules.tenant_inflight_max != 0) {
      grant->tenant = tenants.try_emplace(std::string(request.tenant), 0U).first;
      ++(*grant->tenant)->second;
    }
    if (rules.drop_overdue) {
      grant->on_dropped = request.on_dropped;
      grant->place = droppable.insert(droppable.end(), grant);
    }
    inflight += permits;
    show_inflight_locked();
    return grant;
  }

  // Permits are looked at before the token bucket: a request that finds no permit must not cost its tenant a token.
  Result<std::shared_ptr<Grant>> acquire_locked(const FacetRequest& request, MonoTime now, Dropped& dropped) {
    if (request.units > rules.units_max)
      return fail(ErrorCode::kTooLarge,
                  fmt::format("facet {} takes at most {} units, not {}", name, rules.units_max, request.units));
    if (tenant_is_full_locked(request.tenant))
      return busy_locked(
          fmt::format("facet {}: this tenant has {} requests in flight already", name, rules.tenant_inflight_max));
    const std::uint32_t permits = permits_for_locked(request.units);
    if (!has_room_locked(permits)) drop_overdue_locked(permits, now, dropped);
    if (!has_room_locked(permits))
      return busy_locked(fmt::format("facet {} has {} of {} permits in use", name, inflight, cap));
    if (limiter && !limiter->allow(request.tenant, now))
      return busy_locked(
          fmt::format("facet {}: this tenant is above {} requests a second", name, rules.tenant_rate->per_s));
    return grant_locked(request, permits);
  }

  const std::string name;
  mutable concurrent::RankedMutex mutex{LockRank::kCounters};
  Metrics* metrics;  // null once the facet is gone
  FacetRules rules;
  std::uint32_t cap;
  std::uint32_t inflight = 0;
  std::uint64_t busy_total = 0;
  std::uint64_t deadline_timeouts_total = 0;
  std::optional<KeyedRateLimiter> limiter;
  std::map<std::string, std::uint32_t, std::less<>> tenants;  // at most one per permit in flight
  Grant::Overdue droppable;                                   // oldest first
};

FacetPermit::FacetPermit(std::shared_ptr<Core> core, std::shared_ptr<Grant> grant)
    : core_(std::move(core)), grant_(std::move(grant)) {}

FacetPermit& FacetPermit::operator=(FacetPermit&& other) noexcept {
  if (this == &other) return *this;
  release();
  core_ = std::move(other.core_);
  grant_ = std::move(other.grant_);
  return *this;
}

void FacetPermit::release() {
  if (grant_ == nullptr) return;
  {
    RankedLock lock(core_->mutex);
    core_->give_back_locked(*grant_);
  }
  grant_.reset();
  core_.reset();
}

std::uint32_t FacetPermit::units() const {
  return grant_ == nullptr ? 0 : grant_->permits;
}

bool FacetPermit::dropped() const {
  return grant_ != nullptr && grant_->dropped;
}

Facet::Facet(std::string name, std::uint32_t cap, FacetRules rules, Metrics& metrics)
    : name_(std::move(name)), core_(std::make_shared<FacetPermit::Core>(name_, cap, rules, metrics)) {}

Facet::~Facet() {
  RankedLock lock(core_->mutex);
  core_->metrics = nullptr;
}

Result<FacetPermit> Facet::try_acquire(const FacetRequest& request, MonoTime now) {
  FacetPermit::Core::Dropped dropped;
  Result<std::shared_ptr<FacetPermit::Grant>> grant;
  {
    RankedLock lock(core_->mutex);
    grant = core_->acquire_locked(request, now, dropped);
  }
  // Taken by the permit first: a callback may throw.
  Result<FacetPermit> permit = FacetPermit();
  if (grant)
    permit = FacetPermit(core_, std::move(*grant));
  else
    permit = fail(std::move(grant.error()));
  for (const auto& late : dropped)
    if (late->on_dropped) late->on_dropped();
  return permit;
}

void Facet::on_deadline_missed() {
  RankedLock lock(core_->mutex);
  core_->count_deadline_locked();
}

void Facet::set_cap(std::uint32_t cap) {
  RankedLock lock(core_->mutex);
  core_->cap = cap;
}

void Facet::set_rules(FacetRules rules) {
  RankedLock lock(core_->mutex);
  core_->use_rules_locked(rules);
}

FacetStatus Facet::status() const {
  RankedLock lock(core_->mutex);
  return {.name = name_,
          .cap = core_->cap,
          .inflight = core_->inflight,
          .busy_total = core_->busy_total,
          .deadline_timeouts_total = core_->deadline_timeouts_total};
}

}  // namespace hyperscale::runtime
