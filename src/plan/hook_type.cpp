#include "plan/hook_type.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::plan {

HookType hook_type_of(HookKind kind, DeclaredResult result) {
  if (kind == HookKind::kStep && result != DeclaredResult::kOther) return HookType::kTest;
  if (kind == HookKind::kCheck) return HookType::kCheck;
  if (kind == HookKind::kMetric) return HookType::kMetric;
  return HookType::kAction;
}

bool is_test_workflow(std::span<const HookType> hooks) {
  return std::ranges::find(hooks, HookType::kTest) != hooks.end();
}

std::string_view name(HookKind kind) {
  switch (kind) {
    case HookKind::kStep:
      return "step";
    case HookKind::kAction:
      return "action";
    case HookKind::kCheck:
      return "check";
    case HookKind::kMetric:
      return "metric";
    case HookKind::kState:
      return "state";
  }
  UNREACHABLE("hook kind {}", static_cast<int>(kind));
}

std::string_view name(HookType type) {
  switch (type) {
    case HookType::kTest:
      return "test";
    case HookType::kCheck:
      return "check";
    case HookType::kMetric:
      return "metric";
    case HookType::kAction:
      return "action";
  }
  UNREACHABLE("hook type {}", static_cast<int>(type));
}

}  // namespace hyperscale::plan
