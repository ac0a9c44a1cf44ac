// Difference of two readings of a histogram that only grows.
//
// Pure; any thread. Counts and sum are exact. The extremes of the gain are known to the width of a bucket (0.1 %), and
// exactly where the later reading has a new maximum or the earlier one was empty.
#pragma once

#include "base/histogram/sparse_histogram.h"

namespace hyperscale {

// REQUIRES: `later` grew out of `earlier`. A bucket whose count decreased counts as unchanged.
SparseHistogram histogram_difference(const SparseHistogram& later, const SparseHistogram& earlier);

}  // namespace hyperscale
