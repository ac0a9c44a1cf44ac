#include "run_script.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

constexpr std::string_view kRecordedBelow = "---";

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  CHECK(file.good(), "no script {}", path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::map<std::string, std::string> fields_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> fields;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    fields[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
  }
  return fields;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

Duration duration_of(const std::string& text) {
  const auto duration = parse_duration(text);
  CHECK(duration, "no duration: {}", text);
  return *duration;
}

plan::Workflow workflow_of(const std::string& name, const std::map<std::string, std::string>& fields) {
  plan::Workflow workflow;
  plan::Plan& plan = workflow.plan;
  plan.name = name;
  plan.steps.push_back({.name = "step",
                        .requests = {{.method = "GET", .url = "http://127.0.0.1/x", .headers = {}, .body = {}}},
                        .expect = {}});
  plan.load.vus = 10;
  for (const auto& [key, value] : fields) {
    if (key == "users") plan.load.vus = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "duration") plan.load.duration = duration_of(value);
    if (key == "warmup") plan.load.warmup = duration_of(value);
    if (key == "graceful") plan.load.graceful_stop = duration_of(value);
    if (key == "iterations") plan.load.iterations = std::stoull(value);
    if (key == "offset") workflow.start_offset = duration_of(value);
    if (key == "depends") workflow.depends = names_in(value);
    if (key == "exclusive") workflow.priority = plan::Priority::kExclusive;
    if (key == "script") plan.script.entry = "shop.js";
    if (key == "setup") plan.script.has_setup = true;
    if (key == "teardown") plan.script.has_teardown = true;
    if (key == "provides") plan.script.provides = {{.key = "token", .to = names_in(value)}};
    if (key == "rate") {
      plan.load.pacing = plan::Pacing::kOpen;
      plan.load.rate_per_s = std::stod(value);
    }
  }
  return workflow;
}

ScriptEvent event_of(const std::string& line, const std::vector<std::string>& words) {
  CHECK(words.size() >= 2, "no event: {}", line);
  ScriptEvent event{.at = duration_of(words[0]), .verb = words[1], .target = {}, .rest = {}, .fields = {}};
  if (words.size() == 2) return event;
  event.target = words[2];
  const auto rest = line.find(words[2], line.find(words[1]) + words[1].size()) + words[2].size();
  event.rest = rest < line.size() ? line.substr(rest + 1) : "";
  event.fields = fields_of({words.begin() + 3, words.end()});
  return event;
}

RunScript parse(const std::filesystem::path& path) {
  const std::string text = text_of_file(path);
  const std::string name = path.stem();
  RunScript script;
  script.name = name;
  script.path = path;
  std::istringstream lines(text);
  bool recorded = false;
  for (std::string line; std::getline(lines, line);) {
    if (recorded) {
      script.recorded.push_back(line);
      continue;
    }
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (line.starts_with("#")) {
      script.comment += line.substr(std::min<std::size_t>(2, line.size())) + " ";
    } else if (line == kRecordedBelow) {
      recorded = true;
    } else if (words[0] == "run") {
      for (const auto& [key, value] : fields_of({words.begin() + 1, words.end()})) {
        if (key == "pool") script.pool = static_cast<std::uint32_t>(std::stoul(value));
        if (key == "limit") script.limit = duration_of(value);
        if (key == "threshold") script.threshold = value;
      }
    } else if (words[0] == "workflow") {
      script.workflows.push_back(workflow_of(words.at(1), fields_of({words.begin() + 2, words.end()})));
    } else {
      script.events.push_back(event_of(line, words));
    }
  }
  CHECK(!script.workflows.empty(), "script {} has no workflow", name);
  CHECK(std::ranges::is_sorted(script.events, {}, &ScriptEvent::at), "events of {} are not in order", name);
  return script;
}

}  // namespace

std::string text_of(const ScriptTarget& target) {
  if (target.part == plan::ScriptPart::kSetup) return target.workflow + "/setup";
  if (target.part == plan::ScriptPart::kTeardown) return target.workflow + "/teardown";
  return fmt::format("{}/{}", target.workflow, target.executor);
}

ScriptTarget target_of(const ScriptEvent& event) {
  const auto slash = event.target.find('/');
  CHECK(slash != std::string::npos, "no executor: {}", event.target);
  const std::string which = event.target.substr(slash + 1);
  ScriptTarget target{.workflow = event.target.substr(0, slash)};
  if (which == "setup") {
    target.part = plan::ScriptPart::kSetup;
  } else if (which == "teardown") {
    target.part = plan::ScriptPart::kTeardown;
  } else {
    std::from_chars(which.data(), which.data() + which.size(), target.executor);
  }
  return target;
}

std::vector<RunScript> read_run_scripts() {
  std::vector<RunScript> scripts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RUN_SCRIPTS_FOLDER))
    if (entry.path().extension() == ".script") scripts.push_back(parse(entry.path()));
  std::ranges::sort(scripts, {}, &RunScript::name);
  return scripts;
}

std::string head_of(const RunScript& script) {
  const std::string text = text_of_file(script.path);
  const auto end = text.find("\n" + std::string(kRecordedBelow) + "\n");
  return (end == std::string::npos ? text : text.substr(0, end + 1)) + std::string(kRecordedBelow) + "\n";
}

std::string ms_text(Duration time) {
  return fmt::format("{:.3f}", static_cast<double>(time.count()) / 1e6);
}

std::string text_of(const std::vector<plan::SharedValue>& values) {
  std::string text;
  for (const plan::SharedValue& value : values) text += fmt::format(" {}={}", value.key, value.json);
  return text;
}

}  // namespace hyperscale::jobs
