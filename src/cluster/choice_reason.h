// Why PeerChoice changed its choice. Plain value; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::cluster {

enum class ChoiceReason : std::uint8_t {
  kFirst,     // no peer was chosen before
  kGone,      // the chosen peer is not a candidate any more
  kBucket,    // others are in a better bucket
  kFailed,    // it failed
  kDegraded,  // it has been much worse than when it was chosen
  kImproved,  // another is better by enough, and the hold-down is over
  kNobody,    // no candidate is left
};
std::string_view name(ChoiceReason reason);

}  // namespace hyperscale::cluster
