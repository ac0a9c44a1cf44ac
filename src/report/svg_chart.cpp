#include "report/svg_chart.h"

#include "report/html_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

// Units of the drawing; it is scaled to the width of the page.
constexpr double kWidth = 640, kHeight = 280;
constexpr double kLeft = 58, kRight = 18, kTop = 26, kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;
constexpr double kBase = kTop + kPlotHeight;

double across(const Chart& chart, double x) {
  return kLeft + chart.x.place(x) * kPlotWidth;
}

double down(const Chart& chart, double y) {
  return kBase - chart.y.place(y) * kPlotHeight;
}

std::string axes(const Chart& chart) {
  std::string svg;
  for (const ChartTick& tick : chart.y.ticks) {
    const double y = down(chart, tick.value);
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
                       kWidth - kRight, y, y);
    svg += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kLeft - 8, y + 4,
                       escaped(tick.label));
  }
  for (const ChartTick& tick : chart.x.ticks) {
    const double x = across(chart, tick.value);
    svg += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x, kBase,
                       kBase + 4);
    svg += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x, kBase + 18,
                       escaped(tick.label));
  }
  svg += fmt::format("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
                     kWidth - kRight, kBase, kBase);
  svg += fmt::format("<text class=\"label\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kWidth - kRight,
                     kHeight - 6, escaped(chart.x.title));
  svg += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"14\">{}</text>", 8.0, escaped(chart.y.title));
  return svg;
}

// Segments between gaps.
std::vector<std::vector<ChartPoint>> stretches(const std::vector<ChartPoint>& points) {
  std::vector<std::vector<ChartPoint>> all(1);
  for (const ChartPoint& point : points) {
    if (!std::isnan(point.y)) {
      all.back().push_back(point);
    } else if (!all.back().empty()) {
      all.emplace_back();
    }
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

std::string line(const Chart& chart, const ChartLine& series) {
  std::string svg;
  for (const std::vector<ChartPoint>& stretch : stretches(series.points)) {
    std::string path;
    for (const ChartPoint& point : stretch)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", across(chart, point.x), down(chart, point.y));
    const double first = across(chart, stretch.front().x), last = across(chart, stretch.back().x);
    if (series.filled)
      svg += fmt::format("<path class=\"area {}\" d=\"{}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>", series.css_class, path,
                         last, kBase, first, kBase);
    if (stretch.size() == 1) {
      svg += fmt::format("<circle class=\"dot {}\" r=\"2.5\" cx=\"{:.1f}\" cy=\"{:.1f}\"/>", series.css_class, first,
                         down(chart, stretch.front().y));
    } else {
      svg +=
          fmt::format("<path class=\"line {}{}\" d=\"{}\"/>", series.css_class, series.dashed ? " dashed" : "", path);
    }
  }
  return svg;
}

std::string bar(const Chart& chart, const ChartBar& one) {
  if (!(one.y > 0)) return "";
  const double low = across(chart, one.low), high = across(chart, one.high);
  // Even rare outcomes are visible.
  const double top = std::min(down(chart, one.y), kBase - 1);
  return fmt::format("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", low, top,
                     std::max(high - low - 1, 1.0), kBase - top);
}

std::string hover(const Chart& chart, const ChartHover& one) {
  const double low = across(chart, one.low), high = across(chart, one.high), at = across(chart, one.at);
  return fmt::format(
      "<g class=\"hover\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>"
      "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
      "<text text-anchor=\"end\" x=\"{:.1f}\" y=\"14\">{}</text></g>",
      low, kTop, std::max(high - low, 0.5), kPlotHeight, at, at, kTop, kBase, kWidth - kRight, escaped(one.text));
}

std::string legend(const Chart& chart) {
  if (chart.lines.size() < 2) return "";
  std::string html = "<ul class=\"legend\">";
  for (const ChartLine& series : chart.lines)
    html += fmt::format("<li><i class=\"{}{}\"></i>{}</li>", series.css_class, series.dashed ? " dashed" : "",
                        escaped(series.name));
  return html + "</ul>";
}

}  // namespace

std::string figure_of(const Chart& chart) {
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kWidth, kHeight,
                                escaped(chart.title + ": " + chart.note));
  svg += axes(chart);
  for (const ChartBar& one : chart.bars) svg += bar(chart, one);
  for (const ChartLine& series : chart.lines) svg += line(chart, series);
  for (const ChartHover& one : chart.hovers) svg += hover(chart, one);
  svg += "</svg>";
  return fmt::format("<figure><figcaption><h3>{}</h3><p>{}</p></figcaption>{}{}</figure>\n", escaped(chart.title),
                     escaped(chart.note), legend(chart), svg);
}

}  // namespace hyperscale::report
