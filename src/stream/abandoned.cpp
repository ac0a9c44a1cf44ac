#include "stream/abandoned.h"

#include "stream/epoch_folder.h"
#include "stream/namespace_folder.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"
#include "stream/safe_name.h"

#include <algorithm>

namespace hyperscale::stream {
namespace {

// The scan takes no lock: it must not keep a driver from starting.
void look_at(const std::string& base, const FoundNamespace& found, const DriverPolicies& policies, MonoTime now,
             std::vector<EpochFate>& fates) {
  const auto folder = open_namespace(base, found.name);
  if (!folder) return;
  for (const FolderEntry& entry : entries_of(folder->get())) {
    const auto number = number_of(entry.name);
    if (!number || *number > UINT32_MAX || !entry.is_own_folder) continue;
    const auto stream = open_private_folder(folder->get(), entry.name);
    if (!stream) continue;
    const auto epochs = read_epochs(stream->get(), {.pids_are_known = found.note.pid_namespace == pid_namespace()});
    Epoch highest;
    for (const EpochFacts& facts : epochs) highest = std::max(highest, facts.epoch);
    const auto verdicts =
        judge_epochs({.found = epochs,
                      .current = found.note.cleanup_on_exit ? std::nullopt : std::optional<Epoch>(highest),
                      .lowest_leased = std::nullopt,
                      .keep = policies.epoch_gc_keep,
                      .min_age = policies.min_age()},
                     now);
    for (const GcVerdict& verdict : verdicts)
      fates.push_back({.name_space = found.name,
                       .stream = StreamNumber(static_cast<std::uint32_t>(*number)),
                       .facts = *std::ranges::find(epochs, verdict.epoch, &EpochFacts::epoch),
                       .kept = verdict.kept,
                       .has_driver = found.has_driver,
                       .failure = {}});
  }
}

// A driver may be about to use it: the folder exists before its lock.
bool is_fresh(const FoundNamespace& found, const DriverPolicies& policies, MonoTime now) {
  return found.unused_since_ns && age_of(*found.unused_since_ns, now) <= policies.min_age();
}

void remove_in(const NamespaceFolder& folder, EpochFate& fate) {
  const auto stream = folder.stream_folder(fate.stream);
  const Status removed = stream ? remove_epoch(stream->get(), fate.facts.epoch) : fail(stream.error());
  if (!removed) fate.failure = removed.error().context;
}

void collect_in(const std::string& base, const FoundNamespace& found, const DriverPolicies& policies, MonoTime now,
                std::vector<EpochFate>& fates) {
  if (is_fresh(found, policies, now)) return;
  // Checked again under the lock: a driver may have started meanwhile.
  const auto taken = NamespaceFolder::take_over(base, found.name);
  std::vector<EpochFate> here;
  look_at(base, found, policies, now, here);
  for (EpochFate& fate : here) {
    fate.has_driver = !taken && taken.error().code == ErrorCode::kConflict;
    if (fate.has_driver || fate.kept) continue;
    if (taken) {
      remove_in(*taken, fate);
    } else {
      fate.failure = taken.error().context;
    }
  }
  if (taken) {
    for (const StreamNumber stream : taken->streams()) {
      if (const auto folder = taken->stream_folder(stream)) (void)look_at_epochs(folder->get());
      taken->remove_empty_stream(stream);
    }
    taken->remove_if_empty();
  }
  std::ranges::move(here, std::back_inserter(fates));
}

}  // namespace

Result<std::vector<EpochFate>> collect_abandoned(const std::string& base, const DriverPolicies& policies, MonoTime now,
                                                 Collect what, const std::string& only) {
  std::vector<EpochFate> fates;
  const auto namespaces = namespaces_in(base);
  if (!namespaces) return fail(namespaces.error());
  for (const FoundNamespace& found : *namespaces) {
    if (!only.empty() && found.name != safe_name(only)) continue;
    if (found.has_driver || what == Collect::kLook) {
      look_at(base, found, policies, now, fates);
    } else {
      collect_in(base, found, policies, now, fates);
    }
  }
  return fates;
}

}  // namespace hyperscale::stream
