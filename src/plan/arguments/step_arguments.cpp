#include "plan/arguments/step_arguments.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::plan {

Status StepArguments::add(std::string name, AnyArgument argument) {
  if (arguments_.contains(name))
    return fail(ErrorCode::kInvalidArgument, fmt::format("the step has two arguments named {}", name));
  arguments_.emplace(std::move(name), std::move(argument));
  return {};
}

Status StepArguments::optimise() {
  for (auto& [name, argument] : arguments_) {
    const Status done = std::visit([](auto& each) { return each.optimise(); }, argument);
    if (!done) return fail(done.error().code, fmt::format("argument {}: {}", name, done.error().context));
  }
  return {};
}

BoundArgument StepArguments::bind(std::string_view name, const ContextValues& context) const {
  if (const auto own = arguments_.find(name); own != arguments_.end()) {
    CHECK(std::visit([](const auto& each) { return each.optimised(); }, own->second), "{} was not optimised", name);
    return &own->second;
  }
  if (const auto value = context.find(name); value != context.end()) return &value->second;
  return std::monostate{};
}

}  // namespace hyperscale::plan
