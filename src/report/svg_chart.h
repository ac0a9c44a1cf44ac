// SvgChart: lines and bars over two axes as inline SVG. No script: hover effects are pure CSS.
//
// Pure function, any thread. Colours come from classes of the page's style sheet, so a chart follows light and dark.
#pragma once

#include "report/chart_axis.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::report {

struct ChartPoint {
  double x;
  double y;  // NaN: a gap in the line
};

struct ChartLine {
  std::string name;
  std::string_view css_class;  // "c1" ...
  std::vector<ChartPoint> points;
  bool filled = false;  // also fills the area below
  bool dashed = false;
};

struct ChartBar {
  double low, high, y;
};

// A range of the horizontal axis that shows `text` while the pointer is over it.
struct ChartHover {
  double low, high, at;
  std::string text;
};

struct Chart {
  std::string title;
  std::string note;  // what the chart shows and how to read it
  ChartAxis x, y;
  std::vector<ChartLine> lines = {};
  std::vector<ChartBar> bars = {};
  std::vector<ChartHover> hovers = {};
};

// A <figure> with title, legend and drawing.
std::string figure_of(const Chart& chart);

}  // namespace hyperscale::report
