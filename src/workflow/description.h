// Description: the declarations of a workflow file, as plain values. describe.h creates it; planning, `check` and the
// executor read it. Any thread.
#pragma once

#include "base/time.h"
#include "plan/hook_type.h"
#include "plan/layers.h"
#include "plan/plan.h"
#include "plan/priority.h"
#include "workflow/script/script_error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::workflow {

enum class ArgumentKind : std::uint8_t { kUrl, kHeaders, kParams, kCookies, kAuth, kData };

// A default value of an optimised type: prepared once, before the loop, and passed to the step instead of an entry of
// the same name in the context (HOOK-ARG-1, HOOK-ARG-8). A call refers to it by its id.
struct PreparedArgument {
  std::string name;
  ArgumentKind kind = ArgumentKind::kUrl;
  std::uint32_t id = 0;
  std::string text;                   // URL, authorization or body
  std::string content_type;           // of a body
  std::vector<plan::Header> entries;  // headers, params, cookies
};

// A declarative request: it runs natively and never enters the script engine.
struct DeclaredRequest {
  plan::Request request;
  plan::Expectation expect;
  Duration timeout{};  // zero: the plan's timeout
  std::string name;    // name in results, instead of the step's
  std::string group;
  std::vector<plan::Tag> tags;
};

enum class StateDirection : std::uint8_t { kNone, kProvide, kUse };
enum class ActionTime : std::uint8_t { kSetup, kTeardown };
using MetricKind = plan::MetricKind;

struct Hook {
  std::string name;  // of the field
  Location place;
  plan::HookKind kind = plan::HookKind::kStep;
  plan::HookType type = plan::HookType::kAction;
  plan::DeclaredResult declared = plan::DeclaredResult::kOther;
  std::string result_type;           // "http", the name of a custom type, or ""
  std::vector<std::string> depends;  // step: steps before it; check, metric: steps it reads; state: workflows
  std::uint32_t layer = 0;           // of a step
  bool scripted = true;
  std::optional<DeclaredRequest> request;  // of a step that is not scripted
  std::vector<PreparedArgument> arguments;
  StateDirection direction = StateDirection::kNone;
  ActionTime when = ActionTime::kSetup;
  MetricKind metric = MetricKind::kTrend;
  std::string group;
  std::vector<plan::Tag> tags;
};

struct DeclaredThreshold {
  std::string text;  // "p95 < 300ms"
  std::string step, check, tag, metric;
  bool abort_on_fail = false;
  Duration delay{};
};

enum class Deal : std::uint8_t { kRoundRobin, kOnce, kRandom };

// A file whose rows are distributed to iterations; the host reads it.
struct DataSource {
  std::string name;  // under which a hook receives its row
  std::string file;
  std::string format;  // "csv" or "jsonl"
  std::string delimiter;
  Deal deal = Deal::kRoundRobin;
};

struct Workflow {
  std::string name;
  Location place;
  plan::Load load;
  plan::Priority priority = plan::Priority::kAuto;
  Duration start_after{};
  std::string base_url;
  std::optional<std::uint32_t> redirects;  // maximum number to follow
  bool redirects_anywhere = false;
  bool new_user_per_iteration = false;
  std::vector<std::string> depends;
  std::vector<plan::Tag> tags;
  std::vector<DeclaredThreshold> thresholds;
  std::vector<DataSource> data;
  std::vector<Hook> hooks;  // in the order of the file; the script host identifies a hook by its index
  plan::Layers layers;      // of steps: indices into hooks
  bool is_test = false;
};

struct CustomMetric {
  std::string name;
  MetricKind kind = MetricKind::kCounter;
};

struct Description {
  std::vector<Workflow> workflows;
  plan::Layers layers;  // of workflows
  std::vector<CustomMetric> metrics;
};

// A value passed from one workflow to another: only where both name each other (CTX-API-4).
struct Flow {
  std::string from, to, key;
  bool operator==(const Flow&) const = default;
};
std::vector<Flow> flows_of(const Description& description);

}  // namespace hyperscale::workflow
