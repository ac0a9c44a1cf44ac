// FrameGate: seals and opens questions and answers between nodes in frames, with the cluster's secret. The counterpart
// of PacketGate for the framed transport.
//
//   auto question = gate.seal_question(to, "state-sync", data, wall);         // there
//   auto asked = gate.open_question(question->sealed, wall);                   // here
//   auto sealed = gate.seal_answer(*asked, data, wall);                        // here
//   auto answer = gate.open_answer(*question, sealed);                         // there
//
// A question is bound to its receiver and accepted once; an answer is bound to the asking node and to its question, so
// that it cannot be used for another one.
//
// Sans-IO; one thread. Failure: kUnauthorized for frames that do not open or were seen before, kProtocol and kTooLarge
// as in cluster_frame.h, kUnavailable while the clock is so wrong that nothing can be stamped. Refusals are counted.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/cluster_config.h"
#include "cluster/message_ids.h"
#include "wire/cluster_frame.h"
#include "wire/message_seal.h"
#include "wire/node_identity.h"
#include "wire/replay_guard.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::cluster {

// The method of the request frames that carry questions; the answer is the payload of the response frame.
inline constexpr std::string_view kClusterMethod = "cluster";

struct FrameStats {
  std::uint64_t questions_in = 0;
  std::uint64_t questions_out = 0;
  std::uint64_t refused_unsealed = 0;  // another secret, cluster or environment, another receiver, or modified
  std::uint64_t refused_replayed = 0;  // seen before, too old, or from a clock that is ahead
};

class FrameGate {
 public:
  struct Question {
    SharedBytes sealed;
    wire::NodeAddress to;
    wire::KeyDomain domain;
    SnowflakeId id;
  };
  struct Asked {
    wire::NodeAddress from;
    SnowflakeId id;
    wire::KeyDomain domain;  // whose key it was sealed with
    std::string action;
    SharedBytes data;
  };

  // Questions made before `started` are stale.
  FrameGate(const ClusterConfig& config, WallTime started);

  Result<Question> seal_question(const wire::NodeIdentity& to, std::string action, SharedBytes data, WallTime wall);
  Result<Asked> open_question(ByteView sealed, WallTime wall);
  Result<SharedBytes> seal_answer(const Asked& asked, SharedBytes data, WallTime wall);
  Result<SharedBytes> open_answer(const Question& question, ByteView sealed);

  void rotate(const wire::Keyring& keys);
  const FrameStats& stats() const { return stats_; }

 private:
  wire::MessageSeal& seal(wire::KeyDomain domain) { return domain == wire::KeyDomain::kWorkers ? workers_ : group_; }

  const wire::NodeAddress self_;
  const wire::NodeRole role_;
  std::shared_ptr<wire::EntropySource> entropy_;
  wire::MessageSeal group_;
  wire::MessageSeal workers_;
  wire::ReplayGuard replays_;
  MessageIds ids_;
  FrameStats stats_;
};

}  // namespace hyperscale::cluster
