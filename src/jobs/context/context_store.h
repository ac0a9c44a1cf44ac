// ContextStore: what the workflows of a job provide for later ones: workflow, key, value (CTX-API-1, CTX-SYNC).
//
//   leader:  store.apply("login", updates, own_node)          // for each final result
//            const ContextSnapshot layer = store.complete_layer();   // journalled as LayerSync before the next layer
//            dispatch.context = store.of({"login"});          // what the next workflow depends on, and nothing else
//   peer:    store.install(layer)                             // false: an old version
//
// One manager writes, the leader of the job. For one key the last writer wins by its Lamport timestamp, and of equal
// ones the node with the greater name; so writes of different nodes or timestamps end in the same store in any order.
// Values are JSON texts and stay as they are. Layer 0 is version 0. A new leader begins with an empty store and
// installs the last snapshot that a majority has; what was applied after it is lost, and its layer runs again.
//
// Thread rule: one owner. Invariants: versions and the clock only rise; the clock is above every timestamp in the
// store. Bounded by the limits below; an update or a snapshot beyond them is refused as a whole and changes nothing.
#pragma once

#include "base/result.h"
#include "plan/limits.h"
#include "wire/jobs/dispatch.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::jobs {

inline constexpr std::size_t kContextWorkflowsMax = plan::kWorkflowsMax;
inline constexpr std::size_t kContextKeysMax = plan::kProvisionsMax;  // of one workflow
inline constexpr std::size_t kContextNameBytesMax = plan::kNameBytesMax;
inline constexpr std::size_t kContextValueBytesMax = plan::kSharedValueBytesMax;
inline constexpr std::size_t kContextBytesMax = std::size_t{4} << 20;  // names and values of a job
// One timestamp cannot use up the clock.
inline constexpr std::uint64_t kLamportMax = std::uint64_t{1} << 62;

struct ContextUpdate {
  std::string key;
  std::string json;
  std::optional<std::uint64_t> timestamp = {};  // none: that of the store's clock
};

struct ContextEntry {
  std::string json;
  std::uint64_t timestamp = 0;
  std::string writer = {};  // node that led the job
  bool operator==(const ContextEntry&) const = default;
};

// Workflow, key. Ordered, so that equal stores have equal bytes wherever they are written.
using ContextValues = std::map<std::string, std::map<std::string, ContextEntry>>;

struct ContextSnapshot {
  std::uint32_t version = 0;
  std::uint64_t clock = 1;
  ContextValues values;
  bool operator==(const ContextSnapshot&) const = default;
};

// Whether `next` replaces `known`.
bool wins(const ContextEntry& next, const ContextEntry& known);

class ContextStore {
 public:
  // Returns how many keys were written; others had a newer value. Fails with kTooLarge, or kProtocol for a timestamp
  // beyond kLamportMax.
  Result<std::size_t> apply(const std::string& workflow, std::span<const ContextUpdate> updates,
                            const std::string& writer);

  // All workflows of the layer have ended: the version rises.
  ContextSnapshot complete_layer();
  // True if the values are now those of the snapshot; also for the same one again. False: it is older, or has the same
  // version and other values, or breaks a limit.
  bool install(const ContextSnapshot& snapshot);

  // Ordered by workflow and key. A workflow without values is left out.
  std::vector<wire::ContextValue> of(std::span<const std::string> workflows) const;

  std::uint32_t version() const { return state_.version; }
  std::uint64_t clock() const { return state_.clock; }
  const ContextSnapshot& state() const { return state_; }

 private:
  ContextSnapshot state_;
};

}  // namespace hyperscale::jobs
