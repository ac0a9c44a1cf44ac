// Vivaldi: this node's place in a virtual space whose distances are round-trip times (AD-35 part A.1). Each measurement
// moves it, further the larger this node's error and the smaller the peer's. Height models the access link, which is
// part of every path.
//
// Thread rule: one owner. Deterministic: the direction taken when two places coincide comes from the seed.
// Invariants: every number of the coordinate stays finite and within its limits; one sample moves the place by at most
// movement_max_ms plus a quarter of the measured time, for any claim of the peer.
// Failure: a sample that cannot be true is refused with the reason and does not move the place. A peer with an
// implausible claim (kImplausible) is ignored too; but if a third of all samples are implausible, this node accepts
// them, because its own place is wrong.
#pragma once

#include "base/prng.h"
#include "base/time.h"
#include "membership/coordinates/limits.h"
#include "wire/bug_switch.h"
#include "wire/cluster_message.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace hyperscale::membership {

struct VivaldiConfig {
  double ce = 0.25;  // how fast the confidence follows
  double cc = 0.25;  // how far a sample moves the place
  // The less a node is sure of its place, the longer its steps: a cluster that starts all at once, with one probe a
  // round, converges after 20 rounds (AD35-VIV-6). Plain cc takes about 40.
  double unsure_boost = 2;
  double step_max = 0.9;
  double relative_error_initial = 1.5;
  double relative_error_max = 1.5;
  double relative_error_min = 0.01;  // lower bound, so that no node outweighs all others
  double height_min_ms = 0.01;
  double height_initial_ms = 0.01;
  double noise_ms = 1;  // a miss is compared with at least this much: below it is jitter
  double error_ms_initial = 50;
  double error_ms_weight = 0.25;  // of the newest |predicted - measured|
  double error_ms_max = 500;      // one miss counts no more than this
  double movement_max_ms = 25;
  // Weak pull to the origin, effective only far out, so that all coordinates together cannot drift away.
  double gravity_ms = 1'000;
  // Largest accepted miss: some slack and a multiple of what is usual here. A peer that claims to be further than
  // implausible_ratio times the measured time plus that is ignored.
  double miss_slack_ms = 50;
  double miss_factor = 5;
  double typical_miss_min_ms = 0.5;
  double implausible_ratio = 5;
};

// Planted bugs for the simulator's own test; nothing else sets them.
struct CoordinateMutations {
  wire::BugSwitch trust_any_coordinate = {};
};

enum class SampleVerdict : std::uint8_t {
  kAccepted,
  kBadRtt,         // negative, or longer than kRttSampleMax
  kBadCoordinate,  // not finite, or outside the limits
  kImplausible,    // contradicts the measurement
  kReplayed,       // not newer than the last sample of this peer (CoordinateSystem)
  kNoCoordinate,   // the peer sent none; the time is stored (CoordinateSystem)
};
std::string_view name(SampleVerdict verdict);

// Finite, within the limits, with an error that a coordinate can have.
bool is_sound(const wire::Coordinate& coordinate);
// Milliseconds between two places: straight line plus both heights.
double distance_ms(const wire::Coordinate& a, const wire::Coordinate& b);

class Vivaldi {
 public:
  Vivaldi(const VivaldiConfig& config, Prng prng, CoordinateMutations mutations = {});

  // One measured round trip to a peer that claims to be at `remote`.
  SampleVerdict update(const wire::Coordinate& remote, Duration rtt);
  // The same round trip again, to a peer that has moved to `remote` since: a plain step, not a new sample.
  SampleVerdict refit(const wire::Coordinate& remote, Duration rtt);
  // Whether a peer measured at `rtt` cannot be at `remote`, given this node's own error.
  bool contradicts(const wire::Coordinate& remote, Duration rtt) const;

  wire::Coordinate coordinate() const;
  std::uint32_t samples() const { return samples_; }
  double relative_error() const { return relative_error_; }
  double error_ms() const { return error_ms_; }

 private:
  using Vector = std::array<double, wire::kCoordinateDimensions>;

  SampleVerdict fit(const wire::Coordinate& remote, Duration rtt, double unsure_boost);
  double believable_miss_ms() const;
  double clip(double miss_ms) const;
  void follow_typical_miss(double miss_ms);
  double weight_against(const wire::Coordinate& remote) const;
  void adjust_confidence(double weight, double miss_ms, double measured_ms);
  void move(const wire::Coordinate& remote, double force_ms);
  void pull_to_origin();
  void keep_within_limits();
  Vector random_direction();

  VivaldiConfig config_;
  CoordinateMutations mutations_;
  Prng prng_;
  Vector position_ = {};
  double height_ms_;
  double relative_error_;
  double error_ms_;
  double typical_miss_ms_;
  std::uint32_t samples_ = 0;
};

}  // namespace hyperscale::membership
