// The type of a hook: what a workflow's declaration is for the run (HOOK-2). Decided from how it is declared, never
// from what it returns in a run (HOOK-5). Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hyperscale::plan {

enum class HookKind : std::uint8_t { kStep, kAction, kCheck, kMetric, kState };  // the declaration that was used

// What a step says it gives: the result of a protocol's client, a type of the user's own, or anything else.
enum class DeclaredResult : std::uint8_t { kOther, kProtocol, kCustom };

enum class HookType : std::uint8_t { kTest, kCheck, kMetric, kAction };

HookType hook_type_of(HookKind kind, DeclaredResult result);

// A workflow is a test if any of its hooks is one (HOOK-4); others get one core, however many users they ask for.
bool is_test_workflow(std::span<const HookType> hooks);

std::string_view name(HookKind kind);  // "step"
std::string_view name(HookType type);  // "test"

}  // namespace hyperscale::plan
