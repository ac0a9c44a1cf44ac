#include "cluster/peer_choice.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hyperscale::cluster {
namespace {

Duration times(Duration duration, double factor) {
  return Duration(std::llround(static_cast<double>(duration.count()) * factor));
}

// FNV-1a: the same on every machine.
std::uint64_t hash_of(std::string_view chooser, std::string_view peer) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto fold = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  };
  fold(chooser);
  fold("/");
  fold(peer);
  return hash;
}

}  // namespace

std::string_view name(HealthBucket bucket) {
  switch (bucket) {
    case HealthBucket::kHealthy:
      return "healthy";
    case HealthBucket::kBusy:
      return "busy";
    case HealthBucket::kDegraded:
      return "degraded";
    case HealthBucket::kUnhealthy:
      break;
  }
  return "unhealthy";
}

std::string_view name(ChoiceReason reason) {
  switch (reason) {
    case ChoiceReason::kFirst:
      return "the first one";
    case ChoiceReason::kGone:
      return "the one before is gone";
    case ChoiceReason::kBucket:
      return "it is healthier";
    case ChoiceReason::kFailed:
      return "the one before failed";
    case ChoiceReason::kDegraded:
      return "the one before got worse";
    case ChoiceReason::kImproved:
      return "it is nearer";
    case ChoiceReason::kNobody:
      break;
  }
  return "nobody is left";
}

ChoiceConfig ChoiceConfig::scaled_to(Duration probe_interval) {
  CHECK(probe_interval > Duration::zero());
  ChoiceConfig config;
  const double factor = seconds(probe_interval);
  for (Duration* duration : {&config.heartbeat_ttl, &config.hold_down, &config.degrade_confirm, &config.cooldown})
    *duration = times(*duration, factor);
  return config;
}

PeerChoice::PeerChoice(const ChoiceConfig& config, std::string_view chooser) : config_(config), chooser_(chooser) {}

std::optional<ChoiceReason> PeerChoice::choose(std::span<const PeerCandidate> candidates, double health_multiplier,
                                               MonoTime now) {
  std::erase_if(cooling_until_, [&](const auto& entry) { return entry.second <= now; });
  std::vector<Ranked> all = admitted(candidates, health_multiplier, now);
  if (all.empty()) return take_nobody();
  // Only the best bucket that is not empty: no distance puts a worse one ahead (AD35-RTT-5, AD36-BKT-2).
  const HealthBucket primary = std::ranges::min(all, {}, &Ranked::bucket).bucket;
  const auto is_current = [&](const Ranked& peer) {
    return current_ && peer.peer->identity.address == current_->address;
  };
  const bool current_is_candidate = std::ranges::any_of(all, is_current);
  std::erase_if(all, [&](const Ranked& peer) { return peer.bucket != primary; });
  unaware_ = std::ranges::none_of(all, [&](const Ranked& peer) { return is_placed(*peer.peer); });
  const auto best = std::ranges::min_element(all, [&](const Ranked& a, const Ranked& b) { return better(a, b); });
  if (!current_) return take(*best, ChoiceReason::kFirst, now);
  const auto current = std::ranges::find_if(all, is_current);
  if (current == all.end()) return take(*best, current_is_candidate ? ChoiceReason::kBucket : ChoiceReason::kGone, now);
  current_ = current->peer->identity;  // its TCP port may have changed
  const auto reason = reason_to_leave(*current, *best, health_multiplier, now);
  current_failed_ = false;
  return reason ? take(*best, *reason, now) : std::nullopt;
}

void PeerChoice::failed(const wire::NodeAddress& peer, MonoTime now) {
  cooling_until_[peer] = now + config_.cooldown;
  if (cooling_until_.size() > kCoolingPeersMax) {
    cooling_until_.erase(std::ranges::min_element(cooling_until_, {}, [](const auto& entry) { return entry.second; }));
  }
  if (current_ && current_->address == peer) current_failed_ = true;
}

std::vector<PeerChoice::Ranked> PeerChoice::admitted(std::span<const PeerCandidate> candidates,
                                                     double health_multiplier, MonoTime now) const {
  std::vector<Ranked> found;
  for (const PeerCandidate& peer : candidates) {
    const HealthBucket bucket = bucket_of(peer, health_multiplier);
    if (bucket == HealthBucket::kUnhealthy || peer.identity.role != config_.role) continue;
    const auto cooling = cooling_until_.find(peer.identity.address);
    const bool is_cooling = cooling != cooling_until_.end() && cooling->second > now;
    found.push_back({.peer = &peer,
                     .bucket = bucket,
                     .score = score_of(peer, is_cooling),
                     .cooling = is_cooling,
                     .spread = hash_of(chooser_, peer.identity.name)});
  }
  return found;
}

// Old news and failing probes make a peer doubtful, and leave it a candidate (AD36-FILT-2).
HealthBucket PeerChoice::bucket_of(const PeerCandidate& peer, double health_multiplier) const {
  const Duration ttl = std::max(config_.heartbeat_ttl, config_.heartbeats_missed_max * peer.heartbeat_period);
  const bool stale = peer.heartbeat_age > times(ttl, health_multiplier);
  if (stale || peer.probes_fail) return std::max(peer.bucket, HealthBucket::kDegraded);
  return peer.bucket;
}

bool PeerChoice::is_placed(const PeerCandidate& peer) const {
  return peer.rtt.known && peer.rtt.samples >= config_.min_samples_for_routing &&
         peer.rtt.error_ms <= config_.error_max_for_routing_ms;
}

double PeerChoice::score_of(const PeerCandidate& peer, bool cooling) const {
  const double doubt = std::min(1 + config_.quality_weight * (1 - peer.rtt.quality), config_.quality_penalty_max);
  return peer.rtt.ucb_ms * doubt * (cooling ? config_.cooldown_penalty : 1);
}

bool PeerChoice::better(const Ranked& a, const Ranked& b) const {
  if (unaware_) {
    const auto key = [](const Ranked& peer) {
      return std::tuple(peer.cooling, UINT32_MAX - peer.peer->available_cores, peer.peer->queue_depth, peer.spread);
    };
    return key(a) < key(b);
  }
  return std::tie(a.score, a.spread) < std::tie(b.score, b.spread);
}

std::optional<ChoiceReason> PeerChoice::reason_to_leave(const Ranked& current, const Ranked& best,
                                                        double health_multiplier, MonoTime now) {
  const bool much_worse = is_much_worse(current, health_multiplier, now);
  if (best.peer == current.peer) return std::nullopt;
  if (current_failed_) return ChoiceReason::kFailed;
  if (unaware_) return std::nullopt;  // nothing to compare by
  if (much_worse) return ChoiceReason::kDegraded;
  const double noise_ms = std::max({config_.improvement_min_ms, current.peer->rtt.sigma_ms, best.peer->rtt.sigma_ms});
  const bool worth_it =
      best.score <= (1 - config_.improvement_ratio) * current.score && current.score - best.score >= noise_ms;
  if (!worth_it) return std::nullopt;
  if (now < chosen_at_ + config_.hold_down) {
    ++hold_down_blocks_;
    return std::nullopt;
  }
  return ChoiceReason::kImproved;
}

bool PeerChoice::is_much_worse(const Ranked& current, double health_multiplier, MonoTime now) {
  if (current.score < config_.degrade_ratio * chosen_score_) {
    much_worse_since_.reset();
    return false;
  }
  if (!much_worse_since_) much_worse_since_ = now;
  return now - *much_worse_since_ >= times(config_.degrade_confirm, health_multiplier);
}

std::optional<ChoiceReason> PeerChoice::take(const Ranked& peer, ChoiceReason reason, MonoTime now) {
  current_ = peer.peer->identity;
  chosen_at_ = now;
  chosen_score_ = peer.score;
  current_failed_ = false;
  much_worse_since_.reset();
  return reason;
}

std::optional<ChoiceReason> PeerChoice::take_nobody() {
  current_failed_ = false;
  if (!current_) return std::nullopt;
  current_.reset();
  return ChoiceReason::kNobody;
}

}  // namespace hyperscale::cluster
