// A network of nodes that measure each other, for tests of the coordinates: in each round every node probes one other,
// at random, as SWIM does.
#pragma once

#include "membership/coordinates/coordinate_system.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::membership {

inline wire::NodeAddress node(std::size_t number) {
  wire::NodeAddress address;
  address.ip[15] = 1;
  address.port = static_cast<std::uint16_t>(number + 1);
  return address;
}

inline Duration ms(double milliseconds) {
  return Duration(std::llround(milliseconds * 1e6));
}

inline wire::Coordinate place(float x, float error = 0.1F, std::uint32_t samples = 50) {
  wire::Coordinate coordinate;
  coordinate.position[0] = x;
  coordinate.height_ms = 0.01F;
  coordinate.relative_error = error;
  coordinate.error_ms = 1;
  coordinate.sample_count = samples;
  return coordinate;
}

struct CoordinateWorld {
  using Rtt = std::function<double(std::size_t, std::size_t, int round)>;

  CoordinateWorld(std::size_t nodes, Rtt rtt_ms, std::uint64_t seed, const CoordinateConfig& config = {})
      : rtt(std::move(rtt_ms)), says(nodes), choice(Prng(seed).stream("choice")) {
    for (std::size_t i = 0; i < nodes; ++i)
      systems.emplace_back(config, Prng(seed).stream("node " + std::to_string(i)));
  }

  void run(int rounds) {
    for (int i = 0; i < rounds; ++i, ++round) {
      for (std::size_t from = 0; from < systems.size(); ++from) {
        std::size_t to = choice.below(systems.size() - 1);
        if (to >= from) ++to;
        const auto told = says[to] ? says[to](systems[to].local()) : systems[to].local();
        systems[from].observe({node(to), ++sequence, told, ms(rtt(from, to, round))}, now());
      }
    }
  }

  // |predicted - measured| / measured of every pair of honest nodes, in order.
  std::vector<double> errors() const {
    std::vector<double> all;
    for (std::size_t a = 0; a < systems.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (says[a] || says[b]) continue;
        const double measured = rtt(a, b, round);
        all.push_back(std::abs(distance_ms(systems[a].local(), systems[b].local()) - measured) / measured);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  double median_error() const {
    const auto all = errors();
    return all[all.size() / 2];
  }
  MonoTime now() const { return MonoTime::from_ns(0) + round * 1s; }

  Rtt rtt;
  std::vector<std::function<wire::Coordinate(wire::Coordinate)>> says;  // what a liar makes of its place
  std::vector<CoordinateSystem> systems;
  Prng choice;
  std::uint64_t sequence = 0;
  int round = 0;
};

// The median over several seeds: a ceiling must not hang on one lucky start.
inline double median_error(std::size_t nodes, const CoordinateWorld::Rtt& rtt, int rounds,
                           const CoordinateConfig& config = {}) {
  std::vector<double> medians;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    CoordinateWorld world(nodes, rtt, seed, config);
    world.run(rounds);
    medians.push_back(world.median_error());
  }
  std::sort(medians.begin(), medians.end());
  return medians[medians.size() / 2];
}

// Networks of the golden simulations.
inline double line(std::size_t a, std::size_t b, int) {
  return 10 * std::abs(static_cast<double>(a) - static_cast<double>(b));
}
inline double grid(std::size_t a, std::size_t b, int) {
  const auto apart = [](std::size_t p, std::size_t q) { return static_cast<double>(p) - static_cast<double>(q); };
  return 10 * std::hypot(apart(a / 5, b / 5), apart(a % 5, b % 5));
}
inline double split(std::size_t a, std::size_t b, int) {
  return a % 2 == b % 2 ? 5 : 100;
}
inline double star(std::size_t a, std::size_t b, int) {
  return 10 + 5 * static_cast<double>(a % 7 + b % 7);
}

}  // namespace hyperscale::membership
