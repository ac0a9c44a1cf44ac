// Writes every kind of report of the sample runs into a folder, to look at them: report_samples DIR
#include "report/csv_report.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/summary.h"
#include "sample_run.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace hyperscale;
  using namespace hyperscale::report;
  if (argc != 2) {
    fmt::print(stderr, "usage: report_samples DIR\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  const auto write = [&folder](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  const auto verdicts = busy_verdicts();
  const results::RunResult busy = busy_run(), small = small_run();
  write("busy.html", html_report(busy, verdicts, sample_build()));
  write("small.html", html_report(small, {}, sample_build()));
  write("busy.json", json_report(busy, verdicts, sample_build()));
  write("tiny.json", json_report(tiny_run(), tiny_verdicts(), sample_build()));
  write("busy.csv", csv_report(busy));
  write("busy_100.txt", text_summary(busy, verdicts, {.colour = false, .width = 100, .ascii = false}));
  write("busy_60_ascii.txt", text_summary(busy, verdicts, {.colour = false, .width = 60, .ascii = true}));
  write("script.json", json_report(script_run(), {}, sample_build()));
  write("script.html", html_report(script_run(), {}, sample_build()));
  write("script_100.txt", text_summary(script_run(), {}, {.colour = false, .width = 100, .ascii = false}));
  write("script_60_ascii.txt", text_summary(script_run(), {}, {.colour = false, .width = 60, .ascii = true}));
  write("small_80.txt", text_summary(small, {}, {.colour = false, .width = 80, .ascii = false}));
  fmt::print("{}", text_summary(busy, verdicts, {.colour = true, .width = 100, .ascii = false}));
  return 0;
}
