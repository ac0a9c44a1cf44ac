#include "report/latency_figures.h"

namespace hyperscale::report {

LatencyFigures latency_figures(const SparseHistogram& histogram) {
  return {.count = histogram.count(),
          .min = histogram.min(),
          .mean = histogram.mean(),
          .p50 = histogram.value_at_percentile(50),
          .p90 = histogram.value_at_percentile(90),
          .p95 = histogram.value_at_percentile(95),
          .p99 = histogram.value_at_percentile(99),
          .p99_9 = histogram.value_at_percentile(99.9),
          .p99_99 = histogram.value_at_percentile(99.99),
          .max = histogram.max()};
}

std::string_view duration_meaning(bool open_loop) {
  return open_loop ? "from the intended start of a request to its end, waiting for a free user included"
                   : "from the start of a request to its end";
}

std::vector<LatencyRow> latency_rows(const results::Series& series, const results::Counts& counts, bool open_loop) {
  std::vector<LatencyRow> rows;
  const auto add = [&rows](std::string_view name, std::string_view meaning, const SparseHistogram& histogram) {
    if (!histogram.empty()) rows.push_back({name, meaning, latency_figures(histogram)});
  };
  add("duration", duration_meaning(open_loop), series.duration);
  if (results::has_many_errors(counts)) add("ok only", "duration of the answers that were good", series.ok);
  add("service", "from the first byte sent to the last byte read", series.service);
  add("connect", "opening a TCP connection", series.connect);
  add("tls", "TLS handshake", series.tls);
  add("first byte", "from the request sent to the first byte of its answer", series.first_byte);
  return rows;
}

}  // namespace hyperscale::report
