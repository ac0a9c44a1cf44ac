// AskedLoad: what keys have asked of a run and it has not carried out yet. Each press means what it would mean if all
// before it were done already, so quick ones add up.
//
// Single-threaded. Every asked() is followed by one answered().
#pragma once

#include "plan/load_command.h"

#include <cstddef>
#include <map>

namespace hyperscale::node {

class AskedLoad {
 public:
  // What will be when all is done; `now` is what is.
  double target(std::size_t workflow, double now) const;
  bool paused(bool now) const { return pauses_.open > 0 ? pauses_.last : now; }

  void asked(std::size_t workflow, const plan::LoadCommand& command);
  void answered(std::size_t workflow, const plan::LoadCommand& command);

 private:
  template <typename Value>
  struct Open {
    std::size_t open = 0;
    Value last{};
  };
  Open<bool> pauses_;
  std::map<std::size_t, Open<double>> targets_;
};

}  // namespace hyperscale::node
