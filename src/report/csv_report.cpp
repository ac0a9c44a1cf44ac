#include "report/csv_report.h"

#include "base/duration_text.h"

#include <chrono>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

double in_ms(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

std::string csv_report(const results::RunResult& result) {
  std::string csv =
      "start_s,requests,rate_per_s,errors,bytes_received,dropped,vus,p50_ms,p90_ms,p99_ms,max_ms,mean_ms\n";
  for (const results::Window& window : result.windows) {
    const double length_s = seconds(window.length);
    const double rate = length_s > 0 ? static_cast<double>(window.requests) / length_s : 0;
    csv += fmt::format("{},{},{:.3f},{},{},{},{},{},{},{},{},{}\n", seconds(window.start), window.requests, rate,
                       window.errors, window.bytes_received, window.dropped, window.vus_active, in_ms(window.p50),
                       in_ms(window.p90), in_ms(window.p99), in_ms(window.max), in_ms(window.mean));
  }
  return csv;
}

}  // namespace hyperscale::report
