// The tallies that a plan needs: how many of each kind, and their names. Pure; any thread.
#pragma once

#include "load/recording/tally_layout.h"
#include "load/recording/tally_reader.h"
#include "plan/plan.h"

namespace hyperscale::load {

TallyShape tally_shape(const plan::Plan& plan);
TallyNames tally_names(const plan::Plan& plan);

}  // namespace hyperscale::load
