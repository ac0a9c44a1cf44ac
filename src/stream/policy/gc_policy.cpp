#include "stream/policy/gc_policy.h"

#include <algorithm>
#include <set>

namespace hyperscale::stream {
namespace {

// The lowest of the newest `keep` epochs, the current one among them.
std::optional<Epoch> lowest_kept(const GcQuestion& question) {
  if (!question.current) return std::nullopt;
  std::set<Epoch> epochs{*question.current};
  for (const EpochFacts& facts : question.found) epochs.insert(facts.epoch);
  const std::size_t kept = std::min<std::size_t>(std::max(question.keep, 1U), epochs.size());
  return *std::prev(epochs.end(), static_cast<std::ptrdiff_t>(kept));
}

std::optional<KeptFor> reason_to_keep(const EpochFacts& facts, const GcQuestion& question, MonoTime now) {
  if (question.lowest_leased && facts.epoch >= *question.lowest_leased) return KeptFor::kLease;
  if (facts.owner == Owner::kAlive) return KeptFor::kOwner;
  const bool age_waived = question.short_of_space && facts.owner == Owner::kNone;
  if (!age_waived && age_of(facts.activity_ns, now) <= question.min_age) return KeptFor::kAge;
  return std::nullopt;
}

}  // namespace

std::string_view name(KeptFor reason) {
  constexpr std::array<std::string_view, kKeptForCount> kNames = {"kept", "leased", "owner_alive", "fresh", "limit"};
  return kNames[static_cast<std::size_t>(reason)];
}

Duration age_of(std::uint64_t activity_ns, MonoTime now) {
  const auto now_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(now.ns(), 0));
  return Duration(activity_ns >= now_ns ? 0 : static_cast<std::int64_t>(now_ns - activity_ns));
}

std::vector<GcVerdict> judge_epochs(const GcQuestion& question, MonoTime now) {
  const std::optional<Epoch> kept_from = lowest_kept(question);
  std::vector<GcVerdict> verdicts;
  for (const EpochFacts& facts : question.found) {
    GcVerdict verdict{facts.epoch, reason_to_keep(facts, question, now)};
    if (kept_from && facts.epoch >= *kept_from) verdict.kept = KeptFor::kRank;
    verdicts.push_back(verdict);
  }
  std::ranges::sort(verdicts, {}, &GcVerdict::epoch);
  std::size_t removals = 0;
  for (GcVerdict& verdict : verdicts) {
    if (!verdict.kept && ++removals > kRemovalsPerRunMax) verdict.kept = KeptFor::kLimit;
  }
  return verdicts;
}

}  // namespace hyperscale::stream
