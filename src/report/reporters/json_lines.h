// JsonLines: the reporter of --out jsonl=FILE. A file that grows by one line of JSON per moment.
//
// As a Reporter: one thread, blocking writes. The first failure ends the writing; the run goes on.
#pragma once

#include "base/result.h"
#include "report/reporters/line_file.h"
#include "report/reporters/reporter.h"

#include <memory>
#include <string>
#include <utility>

namespace hyperscale::report {

class JsonLines final : public Reporter {
 public:
  // Fails with the sentence that the user sees.
  static Result<std::unique_ptr<JsonLines>> open(const std::string& path);

  std::string name() const override { return "jsonl"; }
  Status begin(const results::RunFacts&) override { return file_.begin(); }
  Status moment(const live::LiveLine& line) override;

 private:
  explicit JsonLines(LineFile file) : file_(std::move(file)) {}

  LineFile file_;
};

}  // namespace hyperscale::report
