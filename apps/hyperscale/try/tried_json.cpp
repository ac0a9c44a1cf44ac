#include "apps/hyperscale/try/tried_workflow.h"
#include "apps/hyperscale/try/try_json.h"
#include "base/json_writer.h"

namespace hyperscale::app {
namespace {

void write_events(JsonWriter& json, const TriedWorkflow& workflow) {
  json.key("exchanges");
  json.begin_array();
  for (const auto& event : workflow.events)
    if (const auto* exchange = std::get_if<load::TriedExchange>(&event)) write_exchange(json, *exchange);
  json.end_array();
  json.key("log");
  json.begin_array();
  for (const auto& event : workflow.events)
    if (const auto* line = std::get_if<TriedLine>(&event)) json.value(line->text);
  json.end_array();
}

void write_findings(JsonWriter& json, const results::Recorded& result) {
  json.key("checks");
  json.begin_array();
  for (const results::CheckResult& check : result.checks) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("name", check.name);
    json.key("passed");
    if (check.passed + check.failed == 0) {
      json.null();
    } else {
      json.value(check.failed == 0);
    }
    json.end_object();
  }
  json.end_array();
  json.key("failures");
  json.begin_array();
  for (const results::StepResult& step : result.steps) {
    for (const results::Failure& failure : step.failures) {
      json.begin_object(JsonWriter::Layout::kInline);
      json.field("step", step.name);
      json.field("outcome", results::name(failure.outcome));
      json.field("message", failure.message);
      json.end_object();
    }
  }
  json.end_array();
}

}  // namespace

std::string tried_json(std::span<const TriedWorkflow> workflows) {
  JsonWriter json;
  json.begin_object();
  json.key("workflows");
  json.begin_array();
  for (const TriedWorkflow& workflow : workflows) {
    json.begin_object();
    json.field("name", workflow.name);
    json.field("good", workflow.good());
    json.field("failure", workflow.failure);
    write_events(json, workflow);
    write_findings(json, workflow.result);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace hyperscale::app
