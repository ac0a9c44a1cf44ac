// JsonLines: the reporter of --out jsonl=FILE. A file that grows by one line of JSON per moment; "-" is standard
// output.
//
// As a Reporter: one thread, blocking writes of a line. Whole lines only: a line that does not fit the disk is taken
// back. The first failure ends the writing; the run goes on.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "report/reporters/reporter.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hyperscale::report {

class JsonLines final : public Reporter {
 public:
  // Empties the file. Fails with the sentence that the user sees.
  static Result<std::unique_ptr<JsonLines>> open(const std::string& path);

  std::string name() const override { return "jsonl"; }
  Status moment(const live::LiveLine& line) override;

 private:
  JsonLines(std::string path, OwnedFd file) : path_(std::move(path)), file_(std::move(file)) {}

  const std::string path_;
  OwnedFd file_;
  std::int64_t size_ = 0;  // of the whole lines
};

}  // namespace hyperscale::report
