#include "report/reporters/json_lines.h"

namespace hyperscale::report {

Result<std::unique_ptr<JsonLines>> JsonLines::open(const std::string& path) {
  auto file = LineFile::open(path);
  if (!file) return fail(file.error());
  return std::unique_ptr<JsonLines>(new JsonLines(std::move(*file)));
}

Status JsonLines::moment(const live::LiveLine& line) {
  return file_.append(line.json + '\n');
}

}  // namespace hyperscale::report
