#include "report/csv_report.h"

#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

TEST(CsvReport, OneRowPerWindow) {
  results::RunResult result;
  result.windows.push_back({.start = 0s,
                            .length = 1s,
                            .requests = 400,
                            .errors = 2,
                            .bytes_received = 1234,
                            .dropped = 3,
                            .vus_active = 10,
                            .p50 = 1250us,
                            .p90 = 2ms,
                            .p99 = 3ms,
                            .max = 4ms,
                            .mean = 1300us});
  result.windows.push_back({.start = 1s, .length = 500ms, .requests = 100});
  EXPECT_EQ(csv_report(result),
            "start_s,requests,rate_per_s,errors,bytes_received,dropped,vus,p50_ms,p90_ms,p99_ms,max_ms,mean_ms\n"
            "0,400,400.000,2,1234,3,10,1.25,2,3,4,1.3\n"
            "1,100,200.000,0,0,0,0,0,0,0,0,0\n");
}

TEST(CsvReport, NoWindowIsAHeaderOnly) {
  const std::string csv = csv_report(results::RunResult());
  EXPECT_EQ(csv.find('\n'), csv.size() - 1);
}

}  // namespace
}  // namespace hyperscale::report
