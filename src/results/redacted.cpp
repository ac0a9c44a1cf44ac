#include "results/redacted.h"

namespace hyperscale::results {
namespace {

void redact(std::map<std::string, std::string>& tags, const Redactor& redactor) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : tags) out.emplace(redactor(name), redactor(value));
  tags = std::move(out);
}

void redact(StepResult& step, const Redactor& redactor) {
  redactor.apply(step.name);
  redact(step.tags, redactor);
  for (Failure& failure : step.failures) {
    redactor.apply(failure.message);
    redactor.apply(failure.body_start);
  }
}

}  // namespace

void redact(RunResult& result, const Redactor& redactor) {
  if (redactor.empty()) return;
  for (std::string* text : {&result.name, &result.target, &result.load_description}) redactor.apply(*text);
  redact(result.tags, redactor);
  for (StepResult& step : result.steps) redact(step, redactor);
  for (WorkflowReport& workflow : result.workflows)
    for (std::string* text : {&workflow.name, &workflow.message, &workflow.load_description}) redactor.apply(*text);
  for (CheckResult& check : result.checks) {
    redactor.apply(check.name);
    redactor.apply(check.example);
  }
  for (MetricResult& metric : result.metrics) redactor.apply(metric.name);
  for (ExecutorReport& executor : result.executors) redactor.apply(executor.message);
  for (ChangeRecord& change : result.changes) redactor.apply(change.workflow);
  for (std::string& warning : result.warnings) redactor.apply(warning);
}

void redact(std::vector<Verdict>& verdicts, const Redactor& redactor) {
  if (redactor.empty()) return;
  for (Verdict& verdict : verdicts) {
    redactor.apply(verdict.threshold);
    redactor.apply(verdict.actual);
  }
}

}  // namespace hyperscale::results
