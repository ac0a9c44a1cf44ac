// Plots of the last part of a run: the rate as a filled area, latency percentiles as a scatter of points. Axes have
// round figures with units; the newest point is at the right edge. Pure functions, any thread.
#pragma once

#include "live/point_series.h"
#include "tui/cells/canvas.h"
#include "tui/widgets/dot_grid.h"

namespace hyperscale::tui {

inline constexpr int kPlotRowsMin = 4;  // including the title

// Points with errors are marked.
void draw_rate_plot(Canvas canvas, const live::PointSeries& course, Ink ink);
void draw_latency_plot(Canvas canvas, const live::PointSeries& course, Ink ink);

// The smallest round figure (1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten) not below the value; 1 for zero.
double round_ceiling(double value);

}  // namespace hyperscale::tui
