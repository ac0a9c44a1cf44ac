#include "tui/widgets/plots.h"

#include "base/number_text.h"
#include "tui/widgets/clock_text.h"
#include "tui/widgets/section_title.h"
#include "tui/widgets/short_count.h"

#include <array>
#include <cmath>
#include <functional>

namespace hyperscale::tui {
namespace {

constexpr int kLabelCells = 7;
constexpr int kThreeRemarksColumns = 46;  // a narrower title has room for two percentiles
constexpr int kTimeAxisRowsMin = 9;       // a plot this high has room for a time axis

using LabelOf = std::function<std::string(double)>;

// The frame of a plot: the area of the dots, the mapping of values to rows, and the shown points.
class PlotFrame {
 public:
  PlotFrame(Canvas canvas, const live::PointSeries& course, Ink ink, double top)
      : canvas_(canvas),
        course_(course),
        rows_(canvas.height() - 1 - (canvas.height() >= kTimeAxisRowsMin ? 1 : 0)),
        top_(top),
        dots_(canvas.width() - kLabelCells - 1, rows_, ink) {}

  static std::size_t points_shown(const live::PointSeries& course, int width, Ink ink) {
    const int dots = std::max(0, width - kLabelCells - 1) * (ink == Ink::kAscii ? 1 : 2);
    return std::min(course.size(), static_cast<std::size_t>(dots));
  }

  // The row of dots of a value; positive values always get a visible row.
  int height_of(double value) const {
    if (!(value > 0)) return -1;
    return std::clamp(static_cast<int>(std::lround(value / top_ * (dots_.dots_high() - 1))), 0, dots_.dots_high() - 1);
  }
  void set(std::size_t shown, std::size_t i, int y, Role role) {
    dots_.set(dots_.dots_wide() - static_cast<int>(shown - i), y, role);
  }

  void draw(const LabelOf& label) {
    draw_axis(label);
    if (canvas_.height() >= kTimeAxisRowsMin) draw_time_axis();
    dots_.draw(canvas_.part({kLabelCells + 1, 1, canvas_.width() - kLabelCells - 1, rows_}));
  }

 private:
  void draw_axis(const LabelOf& label) {
    for (int y = 0; y < rows_; ++y) canvas_.glyph(kLabelCells, 1 + y, U'│', '|', Role::kFaint);
    const auto at = [&](int y, double value) {
      canvas_.part({0, 1 + y, kLabelCells - 1, 1}).text_until(kLabelCells - 1, 0, label(value), Role::kDim);
      canvas_.glyph(kLabelCells, 1 + y, U'┤', '+', Role::kFaint);
    };
    at(0, top_);
    if (rows_ >= 5 && rows_ % 2 == 1) at(rows_ / 2, top_ / 2);
    if (rows_ >= 2) at(rows_ - 1, 0);
  }

  void draw_time_axis() {
    const int y = canvas_.height() - 1;
    const int per_dot = dots_.dots_wide() / std::max(1, canvas_.width() - kLabelCells - 1);
    canvas_.glyph(kLabelCells, y, U'└', '+', Role::kFaint);
    canvas_.fill({kLabelCells + 1, y, canvas_.width() - kLabelCells - 1, 1}, U'─', '-', Role::kFaint);
    const int right = canvas_.text_until(canvas_.width(), y, " now", Role::kDim);
    const int cells = canvas_.width() - kLabelCells - 1;
    const auto age = [&](int column) { return course_.interval() * (cells - column) * per_dot; };
    const auto mark = [&](int column) {
      const std::string text = "-" + clock_text(age(column)) + " ";
      if (column + static_cast<int>(text.size()) < right - kLabelCells) {
        canvas_.text(kLabelCells + 1 + column, y, text, Role::kDim);
      }
    };
    mark(0);
    if (cells >= 40) mark(cells / 2);
  }

  Canvas canvas_;
  const live::PointSeries& course_;
  int rows_;
  double top_;
  DotGrid dots_;
};

struct Percentile {
  Duration live::SeriesPoint::* value;
  std::string_view name;
  Role role;
};
// Later entries cover earlier ones: the median must stay visible.
constexpr std::array kPercentiles{Percentile{&live::SeriesPoint::p99, "p99", Role::kP99},
                                  Percentile{&live::SeriesPoint::p95, "p95", Role::kP95},
                                  Percentile{&live::SeriesPoint::p50, "p50", Role::kP50}};

const live::SeriesPoint& last(const live::PointSeries& course, std::size_t shown, std::size_t i) {
  return course[course.size() - shown + i];
}

double in_ns(Duration duration) {
  return static_cast<double>(duration.count());
}

}  // namespace

double round_ceiling(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= factor * power) return factor * power;
  }
  return 10 * power;
}

void draw_rate_plot(Canvas canvas, const live::PointSeries& course, Ink ink) {
  std::vector<Remark> remarks;
  if (!course.empty()) {
    remarks.push_back({"now " + rate_text(course.newest().rate_per_s), Role::kRate});
    if (course.newest().errors_per_s > 0) {
      remarks.push_back({"errors " + rate_text(course.newest().errors_per_s), Role::kRateFailing});
    }
  }
  draw_section_title(canvas, "Requests/s", remarks);
  const std::size_t shown = PlotFrame::points_shown(course, canvas.width(), ink);
  double top = 0;
  for (std::size_t i = 0; i < shown; ++i) top = std::max(top, last(course, shown, i).rate_per_s);
  PlotFrame frame(canvas, course, ink, round_ceiling(top));
  for (std::size_t i = 0; i < shown; ++i) {
    const live::SeriesPoint& point = last(course, shown, i);
    const Role role = point.errors_per_s > 0 ? Role::kRateFailing : Role::kRate;
    for (int y = frame.height_of(point.rate_per_s); y >= 0; --y) frame.set(shown, i, y, role);
  }
  frame.draw(short_count);
}

void draw_latency_plot(Canvas canvas, const live::PointSeries& course, Ink ink) {
  std::vector<Remark> remarks;
  for (std::size_t i = kPercentiles.size(); i-- > 0 && !course.empty();) {
    const Percentile& percentile = kPercentiles[i];
    if (canvas.width() < kThreeRemarksColumns && percentile.role == Role::kP95) continue;
    remarks.push_back(
        {std::string(percentile.name) + " " + latency_text(course.newest().*percentile.value, canvas.glyphs()),
         percentile.role});
  }
  draw_section_title(canvas, "Latency", remarks);
  const std::size_t shown = PlotFrame::points_shown(course, canvas.width(), ink);
  double top = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    for (const Percentile& percentile : kPercentiles) {
      top = std::max(top, in_ns(last(course, shown, i).*percentile.value));
    }
  }
  PlotFrame frame(canvas, course, ink, round_ceiling(top));
  for (const Percentile& percentile : kPercentiles) {
    for (std::size_t i = 0; i < shown; ++i) {
      frame.set(shown, i, frame.height_of(in_ns(last(course, shown, i).*percentile.value)), percentile.role);
    }
  }
  const Glyphs glyphs = canvas.glyphs();
  const bool unknown = top <= 0;
  frame.draw(
      [=](double ns) { return unknown ? std::string() : short_latency_text(Duration(std::llround(ns)), glyphs); });
}

}  // namespace hyperscale::tui
