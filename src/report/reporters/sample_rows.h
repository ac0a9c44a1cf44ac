// SampleRows: the reporter of --out samples=FILE. A row per exchange: CSV with a header, or a JSON object per line when
// the name ends in ".jsonl". Columns: docs/formats/samples.md.
//
// As a Reporter: one thread, blocking writes of a whole span. The first failure ends the writing; the run goes on.
#pragma once

#include "base/result.h"
#include "report/reporters/line_file.h"
#include "report/reporters/reporter.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace hyperscale::report {

class SampleRows final : public Reporter {
 public:
  enum class Layout : std::uint8_t { kCsv, kJson };
  // Fails with the sentence that the user sees.
  static Result<std::unique_ptr<SampleRows>> open(const std::string& path);

  std::string name() const override { return "samples"; }
  bool wants_samples() const override { return true; }
  Status begin(const results::RunFacts& facts) override;
  Status samples(const SampleSpan& span) override;

 private:
  SampleRows(LineFile file, Layout layout) : file_(std::move(file)), layout_(layout) {}

  LineFile file_;
  const Layout layout_;
  WallTime started_;
  std::string rows_;  // of one span; its memory is used again
};

}  // namespace hyperscale::report
