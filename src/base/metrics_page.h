// MetricsPage: a page in Prometheus text form (0.0.4), written from given values. For figures of a core or a view; the
// running counters of a node are in runtime/metrics.
//
//   MetricsPage page("hyperscale_run_");
//   page.counter("requests_total", "Requests that ended", 12, {{"step", "pay"}});
//   send(page.text());
//
// Thread rule: one owner. Samples of one name are grouped, in any order of calls; the first one's help is used. Label
// values may be any text. The caller bounds how many there are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale {

class MetricsPage {
 public:
  using Label = std::pair<std::string, std::string>;
  using Labels = std::vector<Label>;
  struct Quantile {
    double rank = 0;
    double value = 0;
  };
  // How many values were at most each bound, not cumulated; one more count than bounds, for those above all.
  struct Buckets {
    std::span<const double> bounds;
    std::span<const std::uint64_t> counts;
    double sum = 0;
  };

  explicit MetricsPage(std::string prefix = "") : prefix_(std::move(prefix)) {}  // of every name

  void counter(std::string_view name, std::string_view help, double value, const Labels& labels = {});
  void gauge(std::string_view name, std::string_view help, double value, const Labels& labels = {});
  struct Summary {
    std::uint64_t count = 0;  // of the values
    double sum = 0;
    std::span<const Quantile> quantiles;
  };
  void summary(std::string_view name, std::string_view help, const Summary& summary, const Labels& labels = {});
  void histogram(std::string_view name, std::string_view help, const Buckets& buckets, const Labels& labels = {});

  std::string text() const;

 private:
  struct Family {
    std::string name;
    std::string_view type;
    std::string text;  // head and samples
  };
  Family& family(std::string_view name, std::string_view help, std::string_view type);
  static void sample(Family& family, std::string_view suffix, const Labels& labels, const Label* last,
                     std::string_view value);

  const std::string prefix_;
  std::vector<Family> families_;
};

}  // namespace hyperscale
