#include "jobs/context/context_store.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

Status check_update(const std::string& workflow, const std::string& key, std::size_t json_bytes,
                    std::uint64_t timestamp) {
  if (workflow.size() > kContextNameBytesMax || key.size() > kContextNameBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a name of the context has more than {} bytes", kContextNameBytesMax));
  }
  if (json_bytes > kContextValueBytesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} of workflow {} has {} bytes, at most {}", key, workflow,
                                                  json_bytes, kContextValueBytesMax));
  }
  if (timestamp > kLamportMax) {
    return fail(ErrorCode::kProtocol,
                fmt::format("{} of workflow {} has a timestamp beyond all clocks", key, workflow));
  }
  return {};
}

std::size_t bytes_of(const ContextValues& values) {
  std::size_t bytes = 0;
  for (const auto& [workflow, entries] : values) {
    bytes += workflow.size();
    for (const auto& [key, entry] : entries) bytes += key.size() + entry.json.size() + entry.writer.size();
  }
  return bytes;
}

std::uint64_t newest_of(const ContextValues& values) {
  std::uint64_t newest = 0;
  for (const auto& [workflow, entries] : values) {
    for (const auto& [key, entry] : entries) newest = std::max(newest, entry.timestamp);
  }
  return newest;
}

Status check_values(const ContextValues& values) {
  if (values.size() > kContextWorkflowsMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} workflows in the context", values.size()));
  }
  for (const auto& [workflow, entries] : values) {
    if (entries.size() > kContextKeysMax) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("workflow {} provides {} values, at most {}", workflow, entries.size(), kContextKeysMax));
    }
    for (const auto& [key, entry] : entries) {
      if (auto good = check_update(workflow, key, entry.json.size(), entry.timestamp); !good) return good;
    }
  }
  if (const std::size_t bytes = bytes_of(values); bytes > kContextBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("the context of the job has {} bytes, at most {}", bytes, kContextBytesMax));
  }
  return {};
}

}  // namespace

bool wins(const ContextEntry& next, const ContextEntry& known) {
  if (next.timestamp != known.timestamp) return next.timestamp > known.timestamp;
  return !next.writer.empty() && !known.writer.empty() && next.writer > known.writer;
}

Result<std::size_t> ContextStore::apply(const std::string& workflow, std::span<const ContextUpdate> updates,
                                        const std::string& writer) {
  ContextValues values = state_.values;
  std::uint64_t newest = state_.clock;
  std::size_t written = 0;
  for (const ContextUpdate& update : updates) {
    const std::uint64_t timestamp = update.timestamp.value_or(state_.clock);
    if (auto good = check_update(workflow, update.key, update.json.size(), timestamp); !good) return fail(good.error());
    newest = std::max(newest, timestamp);
    const ContextEntry next{.json = update.json, .timestamp = timestamp, .writer = writer};
    const auto [entry, is_new] = values[workflow].try_emplace(update.key, next);
    if (!is_new && !wins(next, entry->second)) continue;
    entry->second = next;
    ++written;
  }
  if (auto good = check_values(values); !good) return fail(good.error());
  if (updates.empty()) return written;
  state_.values = std::move(values);
  // Beyond the step of one that the catalogue has: a key without a timestamp is newer than all that was written before.
  state_.clock = newest + 1;
  return written;
}

ContextSnapshot ContextStore::complete_layer() {
  ++state_.version;
  return state_;
}

bool ContextStore::install(const ContextSnapshot& snapshot) {
  if (snapshot.version < state_.version || !check_values(snapshot.values)) return false;
  if (snapshot.clock > kLamportMax + 1 || snapshot.clock <= newest_of(snapshot.values)) return false;
  if (snapshot.version == state_.version) return snapshot.values == state_.values;
  state_ = {.version = snapshot.version, .clock = std::max(state_.clock, snapshot.clock), .values = snapshot.values};
  return true;
}

std::vector<wire::ContextValue> ContextStore::of(std::span<const std::string> workflows) const {
  const std::set<std::string> wanted(workflows.begin(), workflows.end());
  std::vector<wire::ContextValue> found;
  for (const std::string& workflow : wanted) {
    const auto entries = state_.values.find(workflow);
    if (entries == state_.values.end()) continue;
    for (const auto& [key, entry] : entries->second) {
      found.push_back({.source = workflow, .key = key, .json = entry.json, .timestamp = entry.timestamp});
    }
  }
  return found;
}

}  // namespace hyperscale::jobs
