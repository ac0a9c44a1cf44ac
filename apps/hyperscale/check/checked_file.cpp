#include "apps/hyperscale/check/checked_file.h"

#include "base/append_format.h"
#include "base/duration_text.h"
#include "base/json_writer.h"
#include "base/terminal_text.h"
#include "intake/run_description.h"
#include "results/threshold_scope.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::app {
namespace {

using workflow::Hook;
using Layout = JsonWriter::Layout;

constexpr std::size_t kNameWidth = 16;

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string safe(std::string_view text) {
  return visible(text, Glyphs::kUnicode);
}

// "GET http://..." or the kind of function.
std::string what_of(const Hook& hook) {
  if (hook.request) return fmt::format("{} {}", hook.request->request.method, hook.request->request.url);
  return hook.result_type.empty() ? std::string("function") : fmt::format("function, {}", hook.result_type);
}

// When the hook runs, or its purpose.
std::string place_of(const Hook& hook) {
  if (hook.kind == plan::HookKind::kStep) return fmt::format("layer {}", hook.layer + 1);
  if (hook.kind == plan::HookKind::kAction) return hook.when == workflow::ActionTime::kSetup ? "setup" : "teardown";
  return std::string(plan::name(hook.kind));
}

void append_hook(std::string& out, const Hook& hook) {
  const bool is_step = hook.kind == plan::HookKind::kStep;
  append_format(out, "    {} {} {}", left(place_of(hook), 8), left(safe(hook.name), kNameWidth), safe(what_of(hook)));
  if (!hook.depends.empty())
    append_format(out, ", {} {}", is_step ? "after" : "of", safe(fmt::format("{}", fmt::join(hook.depends, ", "))));
  out += '\n';
  for (const workflow::PreparedArgument& argument : hook.arguments)
    append_format(out, "             {} {}\n", left(safe(argument.name), kNameWidth), "prepared once");
}

// In the form that results show.
std::string text_of(const workflow::DeclaredThreshold& threshold) {
  return results::scope_text(
             {.step = threshold.step, .check = threshold.check, .tag = threshold.tag, .metric = threshold.metric}) +
         threshold.text;
}

void append_workflow(std::string& out, const CheckedFile& checked, const plan::Placement& place) {
  const workflow::Workflow& declared = checked.description.workflows[place.workflow];
  append_format(out, "  {} {}; priority {}, {}{}\n", left(safe(declared.name), kNameWidth),
                intake::describe_load(declared.load), plan::name(declared.priority),
                counted(place.cores.size(), "core"), declared.is_test ? "" : ", tests nothing");
  if (declared.start_after > Duration::zero())
    append_format(out, "    starts {} later\n", format_duration(declared.start_after));
  if (!declared.depends.empty())
    append_format(out, "    after {}\n", safe(fmt::format("{}", fmt::join(declared.depends, ", "))));
  for (const Hook& hook : declared.hooks) append_hook(out, hook);
  for (const workflow::DeclaredThreshold& threshold : declared.thresholds)
    append_format(out, "    {} {}\n", left("must", 8), safe(text_of(threshold)));
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array(Layout::kInline);
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_hook(JsonWriter& json, const Hook& hook) {
  json.begin_object(Layout::kInline);
  json.field("name", hook.name);
  json.field("kind", plan::name(hook.kind));
  json.field("type", plan::name(hook.type));
  if (hook.kind == plan::HookKind::kStep) json.field("layer", hook.layer);
  write_texts(json, "depends", hook.depends);
  json.field("scripted", hook.scripted);
  if (hook.request) {
    json.field("method", hook.request->request.method);
    json.field("url", hook.request->request.url);
  }
  std::vector<std::string> prepared;
  prepared.reserve(hook.arguments.size());
  for (const workflow::PreparedArgument& argument : hook.arguments) prepared.push_back(argument.name);
  write_texts(json, "prepared", prepared);
  json.field("place", workflow::place_text(hook.place));
  json.end_object();
}

void write_workflow(JsonWriter& json, const CheckedFile& checked, const plan::Placement& place, std::size_t stage) {
  const workflow::Workflow& declared = checked.description.workflows[place.workflow];
  json.begin_object();
  json.field("name", declared.name);
  json.field("layer", place.layer);
  json.field("stage", std::uint64_t{stage});
  json.field("test", declared.is_test);
  json.field("priority", plan::name(declared.priority));
  json.field("cores", std::uint64_t{place.cores.size()});
  json.key("users");
  json.begin_array(Layout::kInline);
  for (const std::uint32_t vus : checked.schedule.workflow_vus.at(declared.name)) json.value(vus);
  json.end_array();
  json.field("load", intake::describe_load(declared.load));
  write_texts(json, "depends", declared.depends);
  std::vector<std::string> thresholds;
  thresholds.reserve(declared.thresholds.size());
  for (const workflow::DeclaredThreshold& threshold : declared.thresholds) thresholds.push_back(text_of(threshold));
  write_texts(json, "thresholds", thresholds);
  json.key("hooks");
  json.begin_array();
  for (const Hook& hook : declared.hooks) write_hook(json, hook);
  json.end_array();
  json.end_object();
}

}  // namespace

Result<CheckedFile> checked_file(std::string file, workflow::Description description, std::uint32_t cores) {
  plan::Job job;
  for (const workflow::Workflow& declared : description.workflows) {
    plan::Workflow& workflow = job.workflows.emplace_back();
    workflow.plan.name = declared.name;
    workflow.plan.load = declared.load;
    workflow.priority = declared.priority;
    workflow.is_test = declared.is_test;
    workflow.depends = declared.depends;
  }
  auto schedule = plan::schedule_of(job, cores);
  if (!schedule) return fail(schedule.error());
  return CheckedFile{std::move(file), cores, std::move(description), std::move(*schedule)};
}

std::string checked_text(const CheckedFile& checked) {
  std::size_t steps = 0;
  for (const workflow::Workflow& declared : checked.description.workflows)
    steps += static_cast<std::size_t>(std::ranges::count(declared.hooks, plan::HookKind::kStep, &Hook::kind));
  std::string out =
      fmt::format("{}: {}, {}, on {}\n", safe(checked.file), counted(checked.description.workflows.size(), "workflow"),
                  counted(steps, "step"), counted(checked.cores, "core"));
  for (std::size_t stage = 0; stage < checked.schedule.stages.size(); ++stage) {
    append_format(out, "\n{}\n", stage == 0 ? "first" : "then");
    for (const plan::Placement& place : checked.schedule.stages[stage]) append_workflow(out, checked, place);
  }
  for (const std::string& warning : checked.schedule.warnings) append_format(out, "\nwarning: {}\n", safe(warning));
  return out;
}

std::string checked_json(const CheckedFile& checked) {
  JsonWriter json;
  json.begin_object();
  json.field("file", checked.file);
  json.field("cores", checked.cores);
  json.key("workflows");
  json.begin_array();
  for (std::size_t stage = 0; stage < checked.schedule.stages.size(); ++stage)
    for (const plan::Placement& place : checked.schedule.stages[stage]) write_workflow(json, checked, place, stage);
  json.end_array();
  write_texts(json, "warnings", checked.schedule.warnings);
  json.end_object();
  return json.take();
}

}  // namespace hyperscale::app
