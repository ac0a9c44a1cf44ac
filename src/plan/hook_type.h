// The type of a hook: its purpose in the run (HOOK-2). Determined by its declaration, never by what it returns in a run
// (HOOK-5). Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hyperscale::plan {

enum class HookKind : std::uint8_t { kStep, kAction, kCheck, kMetric, kState };  // the declaration that was used

// The declared result of a step: that of a protocol's client, a custom type, or another value.
enum class DeclaredResult : std::uint8_t { kOther, kProtocol, kCustom };

enum class HookType : std::uint8_t { kTest, kCheck, kMetric, kAction };

HookType hook_type_of(HookKind kind, DeclaredResult result);

// A workflow is a test if any of its hooks is one (HOOK-4); others get one core, for any number of users.
bool is_test_workflow(std::span<const HookType> hooks);

std::string_view name(HookKind kind);  // "step"
std::string_view name(HookType type);  // "test"

}  // namespace hyperscale::plan
