#include "apps/hyperscale/try/tried_workflow.h"
#include "apps/hyperscale/try/try_text.h"
#include "base/terminal_text.h"

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

std::string_view name_of(load::LogLevel level) {
  switch (level) {
    case load::LogLevel::kDebug:
      return "debug";
    case load::LogLevel::kInfo:
      return "log";
    case load::LogLevel::kWarning:
      return "warning";
    case load::LogLevel::kError:
      return "error";
  }
  return "log";
}

struct EventText {
  Glyphs glyphs;
  std::string operator()(const TriedLine& line) const {
    return fmt::format("{}: {}\n", name_of(line.level), visible(line.text, glyphs));
  }
  std::string operator()(const load::TriedExchange& exchange) const {
    const std::string title = exchange.step.empty() ? "call" : "step " + exchange.step;
    return fmt::format("{}\n{}", visible(title, glyphs), try_text({&exchange, 1}, glyphs));
  }
};

std::string findings(const TriedWorkflow& workflow, Glyphs glyphs) {
  std::string text;
  const bool plain = glyphs == Glyphs::kAscii;
  for (const results::CheckResult& check : workflow.result.checks) {
    if (check.passed + check.failed == 0) {
      text += fmt::format("  check   {} was not made\n", visible(check.name, glyphs));
      continue;
    }
    const bool passed = check.failed == 0;
    text +=
        fmt::format("  check   {} {}{}\n", passed ? (plain ? "ok " : "✓") : (plain ? "NOT" : "✗"),
                    visible(check.name, glyphs), check.example.empty() ? "" : ": " + visible(check.example, glyphs));
  }
  for (const results::MetricResult& metric : workflow.result.metrics)
    if (metric.count > 0)
      text += fmt::format("  metric  {} = {:g}\n", visible(metric.name, glyphs),
                          metric.kind == results::MetricKind::kCounter ? metric.sum() : metric.last);
  for (const results::StepResult& step : workflow.result.steps)
    for (const results::Failure& failure : step.failures)
      text += fmt::format(
          "  failed  {}: {}\n", visible(step.name, glyphs),
          visible(failure.message.empty() ? std::string(results::description(failure.outcome)) : failure.message,
                  glyphs));
  if (!workflow.failure.empty()) text += fmt::format("  {}\n", visible(workflow.failure, glyphs));
  return text;
}

}  // namespace

std::string tried_text(std::span<const TriedWorkflow> workflows, Glyphs glyphs) {
  std::string text;
  for (const TriedWorkflow& workflow : workflows) {
    if (workflows.size() > 1) text += fmt::format("{}workflow {}\n\n", text.empty() ? "" : "\n", workflow.name);
    for (const auto& event : workflow.events) text += std::visit(EventText{glyphs}, event) + "\n";
    text += findings(workflow, glyphs);
  }
  return text;
}

}  // namespace hyperscale::app
